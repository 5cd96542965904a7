import Foundation
import Frames
import MediaFFmpeg
import TestKit
import Testing

struct JPEGDecoderTests {
  private func jpeg(_ format: String, size: String = "160x90", options: [String] = []) throws -> Data {
    try Tool.run(
      [
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=0.04", "-frames:v", "1",
        "-vf", "scale=\(size.replacing("x", with: ":"))", "-pix_fmt", format, "-c:v", "mjpeg", "-q:v", "2"
      ] + options + ["-f", "image2pipe", "-"])
  }

  private func decoded(_ jpeg: Data, filter: String, as format: String) throws -> Data {
    try Tool.run(
      [
        "ffmpeg", "-v", "error", "-f", "mjpeg", "-idct", "simple", "-i", "-", "-vf", filter, "-f", "rawvideo",
        "-pix_fmt", format, "-"
      ],
      input: jpeg)
  }

  private func decoder(width: Int = 160, height: Int = 90, frames: Int = 2) throws -> JPEGDecoder {
    try JPEGDecoder(width: width, height: height, color: .rec709, frames: frames)
  }

  private func convert(_ data: Data, with decoder: JPEGDecoder) throws(CamrecError) -> Frame {
    let lent = LentImage(data)
    defer { #expect(lent.returned == 1) }
    return try decoder.convert(lent.image("MJPG", width: 160, height: 90))
  }

  private func refusal(_ data: Data, with decoder: JPEGDecoder) -> CamrecError? {
    do throws(CamrecError) {
      _ = try convert(data, with: decoder)
      return nil
    } catch {
      return error
    }
  }

  @Test func imagesOf422ComeOutAsTheyAre() throws {
    let image = try jpeg("yuvj422p"), decoder = try decoder()
    let frame = try convert(image, with: decoder)
    #expect(frame.format.layout == .yuv422p)
    #expect(frame.packedSamples == (try decoded(image, filter: "null", as: "yuvj422p")))
    let color = ColorDescription(matrix: .rec601, range: .full, transfer: .rec709, primaries: .rec709)
    #expect(frame.format.color == color)
    #expect(decoder.outputFormat.color == color)
    #expect(decoder.outputFormat.layout == .yuv422p)
  }

  @Test(arguments: ["160x90", "159x89"])
  func chromaRowsOf420StandForTwo(size: String) throws {
    let image = try jpeg("yuvj420p", size: size), (width, height) = size == "160x90" ? (160, 90) : (159, 89)
    let frame = try convert(image, with: try decoder(width: width, height: height))
    #expect(frame.format.layout == .yuv422p)
    let samples = frame.packedSamples
    let small = try decoded(image, filter: "null", as: "yuvj420p")
    let row = (width + 1) / 2
    var expected = small.prefix(width * height)
    for plane in 0..<2 {
      for y in 0..<height {
        let start = width * height + plane * row * ((height + 1) / 2) + y / 2 * row
        expected.append(small[start..<(start + row)])
      }
    }
    #expect(samples == expected)
  }

  @Test(arguments: ["yuvj444p", "gray"])
  func otherChromaIsScaledInFullRange(format: String) throws {
    let image = try jpeg(format)
    let frame = try convert(image, with: try decoder())
    let expected = try decoded(
      image, filter: "scale=in_range=full:out_range=full:flags=bicubic+accurate_rnd+bitexact", as: "yuvj422p")
    #expect(frame.packedSamples.largestDifference(from: expected, bytesPerSample: 1) <= 2)
    let luma = frame.packedSamples.prefix(160 * 90)
    #expect(luma == (try decoded(image, filter: "null", as: format)).prefix(160 * 90))
  }

  @Test func imagesWithoutHuffmanTablesDecode() throws {
    let whole = try jpeg("yuvj422p", options: ["-huffman", "default"])
    var bare = whole
    // Segment FFC4, its length in the two bytes behind the marker.
    while let marker = bare.firstRange(of: [0xFF, 0xC4]) {
      let length = Int(bare[marker.upperBound]) << 8 | Int(bare[marker.upperBound + 1])
      bare.removeSubrange(marker.lowerBound..<(marker.upperBound + length))
    }
    #expect(bare.count < whole.count)
    let decoder = try decoder()
    let samples = try convert(bare, with: decoder).packedSamples
    #expect(samples == (try convert(whole, with: decoder).packedSamples))
  }

  @Test func garbageBehindTheEndIsTolerated() throws {
    let image = try jpeg("yuvj422p"), decoder = try decoder()
    let clean = try convert(image, with: decoder).packedSamples
    #expect(try convert(image + Data(repeating: 0, count: 4096), with: decoder).packedSamples == clean)
    #expect(try convert(image + Data((0..<4096).map { UInt8($0 * 7 & 0xFF) }), with: decoder).packedSamples == clean)
  }

  @Test func aBrokenImageIsTheCamerasErrorAndTheNextIsWell() throws {
    let image = try jpeg("yuvj422p"), decoder = try decoder()
    let clean = try convert(image, with: decoder).packedSamples
    let broken = [
      image.prefix(image.count / 2), image.prefix(image.count * 9 / 10), image.prefix(100), Data([0xFF, 0xD8]), Data(),
      Data(repeating: 0x55, count: 5000), image.prefix(image.count / 2) + Data(count: image.count / 2)
    ]
    for (index, data) in broken.enumerated() {
      let error = refusal(data, with: decoder)
      #expect(error?.code == .device, "image \(index)")
      #expect(error?.message == "the camera delivered a JPEG image that cannot be decoded", "image \(index)")
      #expect(try convert(image, with: decoder).packedSamples == clean, "image after \(index)")
    }
  }

  @Test func anotherSizeIsRefused() throws {
    let decoder = try decoder()
    let error = refusal(try jpeg("yuvj422p", size: "64x36"), with: decoder)
    #expect(error == CamrecError(.device, "the camera delivered an image of 64x36 in a stream of 160x90"))
    #expect(refusal(try jpeg("yuvj422p"), with: decoder) == nil)
  }

  @Test func framesAreLentUpToTheirNumber() throws {
    let image = try jpeg("yuvj422p"), small = try jpeg("yuvj420p"), decoder = try decoder(frames: 2)
    for data in [image, small] {
      let first = try convert(data, with: decoder)
      let second = try convert(data, with: decoder)
      let error = refusal(data, with: decoder)
      #expect(error == CamrecError(.defect, "more decoded images are in use than the decoder was made for"))
      let samples = [first.packedSamples, second.packedSamples]
      #expect(samples[0] == samples[1])
    }
    #expect(refusal(image, with: decoder) == nil)
  }
}
