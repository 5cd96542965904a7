import CKernels
import Color
public import Frames

/// Counts the codes of the frames of one format: of luma, as they are in the frame, and of red, green and blue.
///
/// R'G'B' of a pixel has the frame's bit depth and full range. It comes from the pixel's Y' and the Cb and Cr of its
/// block, exactly: rounded half up, and held within 0…2ⁿ − 1 after that.
///
/// Thread: one at a time. Only the initializer allocates.
///
/// `@unchecked Sendable`: one thread at a time uses the memory (above), which only this object points to.
public final class HistogramKernel: @unchecked Sendable {
  public enum Channels: Hashable, Sendable, CaseIterable {
    case luma, lumaAndRGB
  }

  /// How many pixels have each code: `codeCount` numbers each.
  public struct Counts: Hashable, Sendable {
    public var luma: [UInt32]
    /// Empty where only luma is counted.
    public var red: [UInt32]
    public var green: [UInt32]
    public var blue: [UInt32]

    public init(luma: [UInt32] = [], red: [UInt32] = [], green: [UInt32] = [], blue: [UInt32] = []) {
      self.luma = luma
      self.red = red
      self.green = green
      self.blue = blue
    }
  }

  /// The frames' format; strides do not matter.
  public let format: FrameFormat
  public let channels: Channels
  private let parts: UnsafeMutableBufferPointer<Int64>
  private let counts: UnsafeMutableBufferPointer<UInt32>
  private let level: KernelLevel
  private let below: Int

  /// - Parameters:
  ///   - format: the frames' format; strides do not matter.
  ///   - level: a supported instruction set; `nil` for `KernelLevel.chosen()`. The counts do not depend on it.
  /// - Throws: code `usage` for a level that `KernelLevel.chosen` refuses.
  public init(_ format: FrameFormat, _ channels: Channels, level: KernelLevel? = nil) throws(CamrecError) {
    self.level = if let level { level } else { try .chosen() }
    self.format = format
    self.channels = channels
    let made = ChannelParts(
      scale: CodeScale(range: format.color.range, bitDepth: format.layout.bitDepth), matrix: format.color.matrix)
    below = made.below
    parts = .allocate(capacity: channels == .luma ? 0 : ChannelParts.count * Int(CK_MOST_CODES))
    parts.initialize(repeating: 0)
    if channels == .lumaAndRGB { made.fill(parts) }
    counts = .allocate(capacity: Int(CK_COUNTS))
    counts.initialize(repeating: 0)
  }

  deinit {
    parts.deallocate()
    counts.deallocate()
  }

  /// What each code adds to the channels, in 2⁻⁴⁸ of a code (`ck_part`), and codes that are added to every channel.
  package var constants: (parts: [[Int64]], below: Int) {
    let parts = (0..<(channels == .luma ? 0 : ChannelParts.count)).map { part in
      Array(self.parts[part * Int(CK_MOST_CODES)..<part * Int(CK_MOST_CODES) + codeCount])
    }
    return (parts, below)
  }

  /// 256 at 8 bits, 1024 at 10.
  public var codeCount: Int { 1 << format.layout.bitDepth }

  /// Counts a whole frame.
  ///
  /// - Parameter result: is replaced; allocates only where its arrays are shared, or have another size.
  /// - Precondition: the frame has the size and layout of `format`.
  public func count(_ frame: borrowing Frame, into result: inout Counts) {
    count(frame.storage, frame.format, into: &result)
  }

  /// The same for a caller that holds the frame meanwhile.
  public func count(_ storage: FrameStorage, _ format: FrameFormat, into result: inout Counts) {
    precondition(format.hasShape(of: self.format), "a frame of another format")
    let rgb = channels == .luma ? 0 : codeCount
    result.luma.setCount(codeCount)
    result.red.setCount(rgb)
    result.green.setCount(rgb)
    result.blue.setCount(rgb)
    var picture = storage.picture(format)
    var histogram = ck_histogram()
    histogram.kernels = level.kernels
    histogram.layout = format.layout.components
    histogram.width = Int32(format.width)
    histogram.height = Int32(format.height)
    histogram.parts = channels == .luma ? nil : UnsafePointer(parts.baseAddress)
    histogram.below = Int32(below)
    histogram.counts = counts.baseAddress
    ck_histogram_count(&histogram, &picture, 0, histogram.height)
    ck_histogram_take(&histogram, &result.luma, &result.red, &result.green, &result.blue)
  }
}

extension [UInt32] {
  fileprivate mutating func setCount(_ wanted: Int) {
    if count != wanted { self = Array(repeating: 0, count: wanted) }
  }
}
