import Cameras
import Foundation
import Frames
import JPEGImages
import TestKit
import Testing

/// What an image costs, beside FFmpeg's encoder in the same run.
struct JPEGCostTests {
  private static let isMeasured = ProcessInfo.processInfo.environment["CAMREC_MEASURE"] != nil
  private static let frames = 8

  /// Prints milliseconds of processor time and bytes of an image of the simulated scene, 4:2:0, in one thread: medians.
  /// FFmpeg's scales are those that keep luma about as well at 1080p. Its integer transform, as libjpeg-turbo's, gives
  /// the same bits everywhere.
  @Test(.enabled(if: JPEGCostTests.isMeasured)) func cost() throws {
    for (width, height) in [(960, 540), (1920, 1080), (3840, 2160)] {
      var scene = Scene(width: width, height: height)
      for (quality, scale) in [(75, 6), (90, 2)] {
        let own = try scene.encoded(quality: quality, times: 3 * Self.frames)
        let other = try scene.encodedByFFmpeg("-q:v \(scale)")
        let exact = try scene.encodedByFFmpeg("-q:v \(scale) -dct int")
        print("\(width)x\(height), quality \(quality): \(own); FFmpeg, -q:v \(scale): \(other); -dct int: \(exact)")
      }
    }
  }

  private struct Cost: CustomStringConvertible {
    var milliseconds: Double
    var bytes: Int
    var description: String { String(format: "%.2f ms, %d kB", milliseconds, bytes / 1000) }
  }

  private struct Scene {
    let width: Int
    let height: Int
    /// Frames for FFmpeg, one after the other.
    private var raw = Data()

    init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// - Parameter times: frames, each of them another one.
    mutating func encoded(quality: Int, times: Int) throws -> Cost {
      let camera = try SimulatedCamera(
        SimulatedCamera.Options(parsing: "range=full"),
        request: CameraRequest(width: width, height: height, pixelFormat: "yuv420p"),
        clock: SimulatedClock(pace: .pulled), frames: 2)
      var format = camera.pictureFormat
      (format.color.matrix, format.color.range) = (.rec601, .full)
      let encoder = try JPEGEncoder(format: format, quality: quality)
      var room = [UInt8](repeating: 0, count: format.byteCount), costs: [Double] = [], bytes = 0
      raw.removeAll()
      try camera.start()
      while costs.count < times {
        guard case .frame(let captured) = try camera.next(), case .frame(let frame) = captured.takeImage() else {
          continue
        }
        if costs.count < JPEGCostTests.frames { for row in FrameRows.of(frame) { raw.append(contentsOf: row) } }
        let start = Self.processorTime
        bytes += try room.withUnsafeMutableBytes { room throws(CamrecError) in try encoder.encode(frame, into: room) }
        costs.append(Self.processorTime - start)
      }
      return Cost(milliseconds: costs.sorted()[times / 2], bytes: bytes / times)
    }

    /// Of this thread, in milliseconds.
    private static var processorTime: Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }

    /// What FFmpeg says of the frames that were encoded before, three times over.
    func encodedByFFmpeg(_ options: String) throws -> Cost {
      let folder = try TemporaryFolder()
      let path = try folder.write(raw, to: "scene.yuv"), count = 3 * JPEGCostTests.frames
      let command =
        "exec ffmpeg -nostats -benchmark_all -stream_loop 2 -f rawvideo -pix_fmt yuvj420p -s \(width)x\(height) "
        + "-i '\(path)' -c:v mjpeg -huffman default -threads 1 \(options) -f null - 2>&1"
      let told = String(decoding: try Tool.run(["sh", "-c", command]), as: UTF8.self)
      // Beside each frame there is a call that finds nothing more to fetch.
      let times = told.matches(of: /(\d+) user +(\d+) sys +\d+ real encode_video/).compactMap { match in
        Double(match.1).flatMap { user in Double(match.2).map { user + $0 } }
      }.sorted().suffix(count)
      let size = try #require(told.firstMatch(of: /video:\s*(\d+)/).flatMap { Int($0.1) })
      try #require(times.count == count)
      return Cost(milliseconds: times[times.startIndex + count / 2] / 1000, bytes: size * 1024 / count)
    }
  }
}
