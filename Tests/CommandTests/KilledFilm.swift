import Foundation
import TestKit
import Testing

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
    let isLongEnough = size >= bytes
    running.send(signal: SIGKILL)
    _ = running.wait(timeout: 60)
    try #require(isLongEnough, "\(name) has \(size) bytes after a minute")
  }

  var size: Int { (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0 }

  /// What ffprobe lists of its frames' packets, in the order of storage.
  func packets() throws -> [(time: Int, position: Int, size: Int)] {
    let told = try Tool.run(
      [
        "ffprobe", "-v", "quiet", "-select_streams", "v:0", "-show_entries", "packet=pts,pos,size", "-of", "json", path,
      ])
    struct Listing: Decodable {
      struct Packet: Decodable {
        let pts: Int
        let pos: String
        let size: String
      }
      let packets: [Packet]
    }
    return try JSONDecoder().decode(Listing.self, from: told).packets.map { packet in
      (packet.pts, try #require(Int(packet.pos)), try #require(Int(packet.size)))
    }
  }

  /// As a power cut leaves it, which takes more than a kill does.
  func cut(to size: Int) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.truncate(atOffset: UInt64(size))
    try file.close()
  }
}
