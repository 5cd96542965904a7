import Cameras
import Foundation
import Frames
import MediaFFmpeg
import Testing

struct ConverterTests {
  private static let full = ColorDescription(matrix: .rec601, range: .full, transfer: .srgb, primaries: .rec709)
  private static let limited = ColorDescription(matrix: .rec601, range: .limited, transfer: .srgb, primaries: .rec709)

  private func convert(
    _ data: Data, _ encoding: String, _ width: Int, _ height: Int, stride: Int = 0,
    color: ColorDescription = Self.limited
  ) throws(CamrecError) -> Frame {
    let converter = try SwscaleConverter(
      encoding: FourCC(encoding), width: width, height: height, color: color, frames: 1)
    let lent = LentImage(data)
    defer { #expect(lent.returned == 1) }
    return try converter.convert(lent.image(encoding, width: width, height: height, stride: stride))
  }

  private func refusal(_ body: () throws(CamrecError) -> Void) -> CamrecError? {
    do throws(CamrecError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  /// How R, G and B lie in a pixel: the order of whole bytes in memory, or fields of a 16- or 8-bit word.
  enum Arrangement {
    case bytes(String)
    case fields(red: Int, green: Int, blue: Int, fill: Int = 0, bigEndian: Bool = false)

    var bits: [Int] {
      switch self {
      case .bytes: [8, 8, 8]
      case .fields(let red, let green, let blue, _, _): [red, green, blue]
      }
    }

    func pixel(_ codes: [Int]) -> [UInt8] {
      switch self {
      case .bytes(let order):
        return order.map {
          $0 == "R" ? UInt8(codes[0]) : $0 == "G" ? UInt8(codes[1]) : $0 == "B" ? UInt8(codes[2]) : 99
        }
      case .fields(let red, let green, let blue, let fill, let bigEndian):
        let word = fill | codes[0] << (green + blue) | codes[1] << blue | codes[2]
        if red + green + blue == 8 { return [UInt8(word)] }
        let bytes = ConverterTests.word(word)
        return bigEndian ? bytes.reversed() : bytes
      }
    }
  }

  private static func word(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }

  @Test(arguments: [
    ("RGB3", Arrangement.bytes("RGB")), ("BGR3", .bytes("BGR")), ("RGB4", .bytes("xRGB")), ("BX24", .bytes("xRGB")),
    ("BA24", .bytes("xRGB")), ("BGR4", .bytes("BGRx")), ("XR24", .bytes("BGRx")), ("AR24", .bytes("BGRx")),
    ("XB24", .bytes("RGBx")), ("AB24", .bytes("RGBx")), ("RX24", .bytes("xBGR")), ("RA24", .bytes("xBGR")),
    ("RGBP", .fields(red: 5, green: 6, blue: 5)), ("RGBR", .fields(red: 5, green: 6, blue: 5, bigEndian: true)),
    ("RGBO", .fields(red: 5, green: 5, blue: 5)), ("AR15", .fields(red: 5, green: 5, blue: 5, fill: 0x8000)),
    ("XR15", .fields(red: 5, green: 5, blue: 5)), ("RGBQ", .fields(red: 5, green: 5, blue: 5, bigEndian: true)),
    ("R444", .fields(red: 4, green: 4, blue: 4)), ("AR12", .fields(red: 4, green: 4, blue: 4, fill: 0xF000)),
    ("XR12", .fields(red: 4, green: 4, blue: 4)), ("RGB1", .fields(red: 3, green: 3, blue: 2))
  ])
  func rgbBecomesLimitedRec709(code: String, arrangement: Arrangement) throws {
    let bits = arrangement.bits
    for rgb in [[255, 255, 255], [0, 0, 0], [255, 0, 0], [0, 255, 0], [0, 0, 255], [64, 128, 192]] {
      let codes = (0..<3).map { rgb[$0] >> (8 - bits[$0]) }
      let bytes = (0..<(34 * 6)).flatMap { _ in arrangement.pixel(codes) }
      let frame = try convert(Data(bytes), code, 34, 6, color: Self.full)
      let color = ColorDescription(matrix: .rec709, range: .limited, transfer: .srgb, primaries: .rec709)
      #expect(frame.format.color == color)
      #expect(frame.format.layout == .yuv422p)
      // BT.709-6, items 3.2 to 3.5.
      let (red, green, blue) = (
        Double(codes[0]) / Double((1 << bits[0]) - 1), Double(codes[1]) / Double((1 << bits[1]) - 1),
        Double(codes[2]) / Double((1 << bits[2]) - 1)
      )
      let luma: Double = 0.2126 * red + 0.7152 * green + 0.0722 * blue
      let cb: Double = 128 + 224 * (blue - luma) / 1.8556
      let cr: Double = 128 + 224 * (red - luma) / 1.5748
      // Codes of few bits are spread over 8 bits by swscale without repeating them, which costs more than rounding.
      let tolerance = bits[0] == 8 ? 1.0 : 255.0 / Double(1 << bits.min()!)
      let samples = [UInt8](frame.packedSamples)
      #expect(largestError(samples[..<204], 16 + 219 * luma) <= tolerance, "Y of \(rgb)")
      #expect(largestError(samples[204..<306], cb) <= tolerance, "Cb of \(rgb)")
      #expect(largestError(samples[306...], cr) <= tolerance, "Cr of \(rgb)")
    }
  }

  private func largestError(_ samples: ArraySlice<UInt8>, _ expected: Double) -> Double {
    samples.reduce(0) { max($0, abs(Double($1) - expected)) }
  }

  /// A 4:2:2 picture of 34×6 whose samples all differ from their neighbours.
  private static let luma = ramp(34 * 6, step: 13, range: 219)
  private static let cb = ramp(17 * 6, step: 29, range: 224)
  private static let cr = ramp(17 * 6, step: 31, range: 224)

  private static func ramp(_ count: Int, step: Int, range: Int) -> [UInt8] {
    (0..<count).map { (index: Int) -> UInt8 in UInt8(16 + index * step % range) }
  }

  /// The luma with even chroma.
  private static func flat(_ cb: UInt8, _ cr: UInt8) -> Data {
    Data(luma + [UInt8](repeating: cb, count: 102) + [UInt8](repeating: cr, count: 102))
  }

  /// The picture with each pair of pixels as `arrange(y0, cb, y1, cr)`.
  private func packed(_ arrange: (UInt8, UInt8, UInt8, UInt8) -> [UInt8]) -> Data {
    var bytes: [UInt8] = []
    for pair in 0..<(17 * 6) {
      bytes += arrange(Self.luma[2 * pair], Self.cb[pair], Self.luma[2 * pair + 1], Self.cr[pair])
    }
    return Data(bytes)
  }

  @Test func picturesOf422KeepEachSample() throws {
    let expected = Data(Self.luma + Self.cb + Self.cr)
    #expect(try convert(packed { [$0, $3, $2, $1] }, "YVYU", 34, 6).packedSamples == expected)
    #expect(try convert(packed { [$3, $0, $1, $2] }, "VYUY", 34, 6).packedSamples == expected)
    var nv16 = Self.luma, nv61 = Self.luma
    for (cb, cr) in zip(Self.cb, Self.cr) {
      nv16 += [cb, cr]
      nv61 += [cr, cb]
    }
    #expect(try convert(Data(nv16), "NV16", 34, 6).packedSamples == expected)
    #expect(try convert(Data(nv61), "NV61", 34, 6).packedSamples == expected)
    let color = try convert(packed { [$0, $3, $2, $1] }, "YVYU", 34, 6, color: Self.full).format.color
    #expect(color == Self.full)
  }

  @Test(arguments: ["YUV3", "YUV4", "AYUV", "XYUV", "VUYA", "VUYX", "YUVA", "YUVX"])
  func pairsOf444ShareTheirMean(code: String) throws {
    // Chroma of the second pixel of each pair is one more: the mean rounds up.
    let bytes = Data(
      (0..<(34 * 6)).flatMap { index -> [UInt8] in
        let y = Self.luma[index], u = Self.cb[index / 2] + UInt8(index & 1), v = Self.cr[index / 2] - UInt8(index & 1)
        switch code {
        case "YUV3": return [y, u, v]
        case "YUV4", "AYUV", "XYUV": return [99, y, u, v]
        case "YUVA", "YUVX": return [y, u, v, 99]
        default: return [v, u, y, 99]
        }
      })
    let frame = try convert(bytes, code, 34, 6)
    let cb = Self.cb.map { $0 + 1 }
    #expect(frame.packedSamples == Data(Self.luma + cb + Self.cr))
  }

  @Test func anOddRowOf444EndsWithItsLastPixel() throws {
    let frame = try convert(Data([10, 20, 30, 11, 30, 40, 12, 50, 60]), "YUV3", 3, 1)
    #expect(frame.packedSamples == Data([10, 11, 12, 25, 50, 35, 60]))
  }

  @Test(arguments: [("NV24", false), ("NV42", true)])
  func planesOf444AreHalvedAcross(code: String, swapped: Bool) throws {
    let first = UInt8(swapped ? 150 : 90), second = UInt8(swapped ? 90 : 150)
    let chroma = (0..<(34 * 6)).flatMap { _ in [first, second] }
    let frame = try convert(Data(Self.luma + chroma), code, 34, 6)
    #expect(frame.packedSamples == Self.flat(90, 150))
  }

  @Test(arguments: [("411P", 9, 6, false), ("YUV9", 9, 2, false), ("YVU9", 9, 2, true)])
  func coarseChromaIsSpread(code: String, across: Int, down: Int, swapped: Bool) throws {
    let flat = { (value: UInt8) in [UInt8](repeating: value, count: across * down) }
    let frame = try convert(Data(Self.luma + (swapped ? flat(150) + flat(90) : flat(90) + flat(150))), code, 34, 6)
    #expect(frame.packedSamples == Self.flat(90, 150))
  }

  @Test func grayKeepsItsCodes() throws {
    let frame = try convert(Data(Self.luma), "GREY", 34, 6, color: Self.full)
    #expect(frame.format.color.range == .full)
    #expect(frame.packedSamples == Self.flat(128, 128))
  }

  @Test(arguments: [("Y10 ", 10), ("Y12 ", 12), ("Y14 ", 14), ("Y16 ", 16)])
  func deepGrayBecomesTenBits(code: String, bits: Int) throws {
    let codes = (0..<(34 * 6)).map { $0 * 5 }
    let bytes = codes.flatMap { Self.word($0 << (bits - 10)) }
    let frame = try convert(Data(bytes), code, 34, 6, color: Self.full)
    #expect(frame.format.layout == .yuv422p10)
    let samples = frame.packedSamples.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
    #expect(zip(samples, codes).allSatisfy { abs(Int($0.0) - $0.1) <= 1 })
    #expect(samples[(34 * 6)...].allSatisfy { $0 == 512 })
  }

  @Test func rowsMayBePadded() throws {
    var padded = Data()
    for row in 0..<6 {
      padded += Data(Self.luma[(row * 34)..<(row * 34 + 34)])
      padded += Data(repeating: 99, count: 6)
    }
    for row in 0..<6 {
      for x in 0..<17 { padded += Data([Self.cb[row * 17 + x], Self.cr[row * 17 + x]]) }
      padded += Data(repeating: 99, count: 6)
    }
    let expected = Data(Self.luma + Self.cb + Self.cr)
    #expect(try convert(padded, "NV16", 34, 6, stride: 40).packedSamples == expected)
    // The last row's padding may be missing.
    #expect(try convert(padded.dropLast(6), "NV16", 34, 6, stride: 40).packedSamples == expected)
  }

  @Test func anImageThatIsTooShortIsRefused() {
    let error = refusal { () throws(CamrecError) in _ = try convert(Data(count: 611), "RGB3", 34, 6, color: Self.full) }
    #expect(
      error == CamrecError(.device, "the camera delivered 611 bytes for an image 'RGB3' of 34x6, which needs 612"))
    let packed = refusal { () throws(CamrecError) in _ = try convert(Data(count: 611), "YUV3", 34, 6) }
    #expect(
      packed == CamrecError(.device, "the camera delivered 611 bytes for an image 'YUV3' of 34x6, which needs 612"))
    let halves = refusal { () throws(CamrecError) in _ = try convert(Data(count: 407), "NV16", 34, 6) }
    #expect(
      halves == CamrecError(.device, "the camera delivered 407 bytes for an image 'NV16' of 34x6, which needs 408"))
    #expect(refusal { () throws(CamrecError) in _ = try convert(Data(), "GREY", 34, 6) }?.code == .device)
  }

  @Test func unknownFormatsAreRefused() {
    let error = refusal { () throws(CamrecError) in _ = try convert(Data(), "S561", 34, 6) }
    #expect(
      error
        == CamrecError(.device, "cannot convert the camera's pixel format 'S561'; choose another with --pixel-format")
    )
    let narrow = refusal { () throws(CamrecError) in _ = try convert(Data(), "RGB3", 34, 6, color: Self.limited) }
    #expect(
      narrow
        == CamrecError(
          .device,
          "the camera's 'RGB3' holds R'G'B' in limited range, which cannot be converted; "
            + "choose another --pixel-format"))
  }

  @Test func theConverterFitsTheCamerasFormat() throws {
    func make(_ image: CameraImageFormat) throws -> (any ImageConverter)? {
      let rate = try #require(FrameRate(Rational(24)))
      let format = CameraFormat(width: 34, height: 6, image: image, frameRate: rate, color: Self.full)
      return try ImageConverters.make(for: format, frames: 2)
    }
    #expect(try make(.raw(.nv12)) == nil)
    #expect(try make(.encoded(FourCC("MJPG"))) is JPEGDecoder)
    #expect(try make(.encoded(FourCC("JPEG"))) is JPEGDecoder)
    #expect(try make(.encoded(FourCC("BGR3"))) is SwscaleConverter)
  }
}
