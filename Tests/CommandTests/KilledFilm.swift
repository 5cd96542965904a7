import Foundation
import TestKit

/// A film of the simulated camera, as SIGKILL leaves it.
struct KilledFilm {
  let path: String

  /// Records in simulated time, 320x180 at 24 fps, until the film has so many bytes, and kills the recorder.
  init(
    _ name: String, bytes: Int, in folder: TemporaryFolder, camera: String = "sim:pace=pulled",
    options: [String] = []
  ) throws {
    path = folder.path(name)
    let running = try CamrecBinary.find().start(
      [
        "--camera", camera, "--size", "320x180", "--fps", "24", "--frames", "1000000", "--control", "none", "--state",
        "none", "--output", name,
      ] + options, in: folder.url)
    var polls = 0
    while size < bytes, polls < 1200 {
      usleep(50_000)
      polls += 1
    }
    running.send(signal: SIGKILL)
    _ = running.wait(timeout: 60)
  }

  var size: Int { (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0 }

  /// What ffprobe lists of its frames' packets, in the order of storage.
  func packets() throws -> [(time: Int, position: Int, size: Int)] {
    let told = try Tool.run(
      [
        "ffprobe", "-v", "quiet", "-select_streams", "v:0", "-show_entries", "packet=pts,pos,size", "-of",
        "default=nw=1", path,
      ])
    let numbers = String(decoding: told, as: UTF8.self).split(separator: "\n").compactMap { line in
      line.firstIndex(of: "=").flatMap { Int(line[line.index(after: $0)...]) }
    }
    // It prints a packet's fields in its own order: pts, size, pos.
    return stride(from: 0, to: numbers.count - 2, by: 3).map { (numbers[$0], numbers[$0 + 2], numbers[$0 + 1]) }
  }

  /// As a power cut leaves it, which takes more than a kill does.
  func cut(to size: Int) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.truncate(atOffset: UInt64(size))
    try file.close()
  }
}
