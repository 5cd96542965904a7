import Cameras
import Foundation
import Frames
import MediaFFmpeg
import TestKit

/// A folder of clips that `ffmpeg` makes for a test; removed with the value.
final class ClipMaker {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("clips-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// `ffmpeg` with `arguments` and the output `name` in the folder; returns its path.
  func make(_ name: String, _ arguments: String...) throws -> String {
    try Tool.run(
      ["ffmpeg", "-v", "error", "-y"] + arguments.flatMap { $0.split(separator: " ").map(String.init) } + [path(name)])
    return path(name)
  }

  /// The first `count` bytes of `clip` as another file.
  func cut(_ clip: String, to name: String, bytes count: (Int) -> Int) throws -> String {
    let data = try Data(contentsOf: URL(fileURLWithPath: clip))
    try data.prefix(count(data.count)).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  static let picture = "-f lavfi -i testsrc2=size=160x90:rate=25:duration=1"
  /// Frame 4 is decoded in front of 2, 1 and 3, frame 8 in front of 6, 5 and 7.
  static let reordered = "-pix_fmt yuv420p -c:v libx264 -bf 3 -x264-params b-adapt=0:scenecut=0"
  /// The same in groups of 12.
  static let groups = reordered + " -g 12"
  static let sound = "-f lavfi -i sine=frequency=1000:sample_rate=48000:duration=1"

  /// Spoils the bytes of a packet of the clip's, the only stream's.
  func damage(_ path: String, picture: Int) throws {
    let packet = try place(in: path, picture: picture)
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    for index in stride(from: packet.lowerBound + packet.count / 2, to: packet.upperBound - 8, by: 7) {
      data[index] ^= 0x55
    }
    try data.write(to: URL(fileURLWithPath: path))
  }

  /// Puts zeros in place of a packet.
  func erase(_ path: String, picture: Int) throws {
    let packet = try place(in: path, picture: picture)
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    data.replaceSubrange(packet, with: Data(count: packet.count))
    try data.write(to: URL(fileURLWithPath: path))
  }

  /// Where the packet lies in the file.
  private func place(in path: String, picture: Int) throws -> Range<Int> {
    let packets = try Tool.run(["ffprobe", "-v", "error", "-show_entries", "packet=pos,size", "-of", "csv=p=0", path])
    let numbers = String(decoding: packets, as: UTF8.self).split(separator: "\n")[picture].split(separator: ",")
      .compactMap { Int($0) }
    let (position, size) = (max(numbers[0], numbers[1]), min(numbers[0], numbers[1]))
    return position..<position + size
  }
}

/// All that a clip's camera said until its end.
struct ReadClip {
  var times: [SourceTime] = []
  var captureTimes: [Int64] = []
  var sequences: [UInt64] = []
  var damaged: [UInt64] = []
  /// The samples of all frames, rows and planes without padding.
  var samples = Data()
  var end: CameraEnd?

  init(_ camera: some Camera, keepsSamples: Bool = true, limit: Int = .max) throws {
    try camera.start()
    while end == nil, times.count < limit {
      switch try camera.next() {
      case .frame(let frame):
        if let time = frame.sourceTime { times.append(time) }
        captureTimes.append(frame.captureTime.nanoseconds)
        sequences.append(frame.sequence)
        if keepsSamples, case .frame(let picture) = frame.takeImage() { samples.append(picture.packedSamples) }
      case .damaged(let sequence, _): damaged.append(sequence)
      case .nothing: continue
      case .ended(let end): self.end = end
      }
    }
    camera.stop()
  }
}

extension Frame {
  /// The samples row by row, plane by plane, without padding.
  var packedSamples: Data {
    borrowing get {
      var data = Data()
      for plane in 0..<format.planeCount {
        let row = format.layout.rowBytes(plane: plane, width: format.width)
        withPlane(plane) { bytes in
          for y in 0..<format.layout.rows(plane: plane, height: format.height) {
            data.append(contentsOf: bytes[(y * format.stride(plane: plane))..<(y * format.stride(plane: plane) + row)])
          }
        }
      }
      return data
    }
  }
}
