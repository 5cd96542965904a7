import Foundation

/// A packet of a clip that is not what it was.
public enum SpoiledPacket {
  /// Gives a packet of an .mp4 a length that it does not have.
  ///
  /// - Parameter number: in the order of decoding, from 0 on.
  /// - Returns: its frame's place among the frames, from 0 on.
  public static func spoil(_ path: String, packet number: Int) throws -> Int {
    let packets = try packets(path), packet = packets[number]
    var clip = try Data(contentsOf: URL(fileURLWithPath: path))
    clip.replaceSubrange(packet.position..<(packet.position + 4), with: [0x7F, 0xFF, 0xFF, 0xFF])
    try clip.write(to: URL(fileURLWithPath: path))
    return packets.count(where: { $0.time < packet.time })
  }

  /// Changes a byte in the middle of a packet.
  ///
  /// - Parameter number: in the order of decoding, from 0 on.
  public static func alter(_ path: String, packet number: Int) throws {
    let packet = try packets(path)[number]
    var clip = try Data(contentsOf: URL(fileURLWithPath: path))
    clip[packet.position + packet.size / 2] ^= 0x55
    try clip.write(to: URL(fileURLWithPath: path))
  }

  /// Where a packet of a clip's frames begins in the file.
  ///
  /// - Parameter number: in the order of decoding, from 0 on.
  public static func position(_ path: String, packet number: Int) throws -> Int { try packets(path)[number].position }

  /// Puts zeros in place of packets of a clip's audio.
  ///
  /// - Parameter numbers: in their order, from 0 on; gets how many there are.
  public static func eraseSound(_ path: String, packets numbers: (_ count: Int) -> Range<Int>) throws {
    let packets = try packets(path, of: "a")
    var clip = try Data(contentsOf: URL(fileURLWithPath: path))
    for packet in packets[numbers(packets.count)] {
      clip.replaceSubrange(packet.position..<(packet.position + packet.size), with: Data(count: packet.size))
    }
    try clip.write(to: URL(fileURLWithPath: path))
  }

  /// The frames that damage of a packet reaches: those decoded from it on, up to the next key frame, and those decoded
  /// behind that but shown before it.
  ///
  /// - Parameter number: in the order of decoding, from 0 on.
  /// - Returns: their places among the frames, from 0 on, rising.
  public static func reach(_ path: String, of number: Int) throws -> [Int] {
    let told = try Tool.run([
      "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts,flags", "-of", "csv=p=0", path,
    ])
    let packets = String(decoding: told, as: UTF8.self).split(separator: "\n").compactMap { line in
      Int(line.prefix { $0 != "," }).map { (time: $0, isKey: line.contains("K")) }
    }
    let rest = packets[(number + 1)...], key = rest.firstIndex { $0.isKey } ?? packets.endIndex
    var reached = Array(packets[number..<key])
    if key < packets.endIndex { reached += packets[key...].filter { $0.time < packets[key].time } }
    return reached.map { frame in packets.count(where: { $0.time < frame.time }) }.sorted()
  }

  /// The place among the frames of the one whose packet lies behind all others in the file.
  public static func placeOfLast(_ path: String) throws -> Int {
    let packets = try packets(path)
    guard let last = packets.max(by: { $0.position < $1.position }) else { return 0 }
    return packets.count(where: { $0.time < last.time })
  }

  private static func packets(
    _ path: String, of stream: String = "v"
  ) throws -> [(time: Int, size: Int, position: Int)] {
    let told = try Tool.run([
      "ffprobe", "-v", "error", "-select_streams", stream, "-show_entries", "packet=pts,size,pos", "-of", "csv=p=0",
      path,
    ])
    return String(decoding: told, as: UTF8.self).split(separator: "\n").map { line in
      let numbers = line.split(separator: ",").compactMap { Int($0) }
      return (time: numbers[0], size: numbers[1], position: numbers[2])
    }
  }
}
