public import Cameras
import Foundation
public import Frames
import TestKit

/// A recorded file as `ffprobe` and `ffmpeg` see it: every picture with its time and its marks, every tone.
///
///     let film = try RecordedFilm(path: "take.mov")
///     #expect(film.missingNumbers == [])
///     #expect(film.soundOffsets.allSatisfy { abs($0) <= 0.5 / 24 })
public struct RecordedFilm: Sendable {
  public struct Picture: Hashable, Sendable {
    /// Presentation time in seconds.
    public let time: Double
    /// `nil` where the picture shows no readable mark.
    public let mark: SimulatedMark?
  }

  /// In order of presentation.
  public let pictures: [Picture]
  /// Pictures that the file's index names; more than `pictures` where the end of a file is torn.
  public let packetCount: Int
  /// How far clockwise a player turns the picture, as the marks show it; `nil` without a readable mark.
  public let rotation: Rotation?
  /// Seconds at which tone bursts begin; empty without sound.
  public let toneOnsets: [Double]

  /// Decodes the whole file, turned as a player turns it.
  public init(path: String) throws {
    let size = try RecordedFilm.turnedSize(path)
    let times = try RecordedFilm.packets(path, stream: "v:0").map(\.time).sorted()
    packetCount = times.count
    let reader = FrameNumberReader(width: size.width, height: size.height)
    let bytes = size.width * size.height
    var readings: [FrameNumberReader.Reading?] = []
    var pending = Data()
    try Tool.run(
      [
        "ffmpeg", "-v", "error", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt",
        "gray", "-",
      ],
      acceptsFailure: true
    ) { piece in
      pending.append(piece)
      while pending.count >= bytes {
        readings.append(pending.withUnsafeBytes { reader.read(luma: UnsafeRawBufferPointer(rebasing: $0[..<bytes])) })
        pending = Data(pending.dropFirst(bytes))
      }
    }
    pictures = zip(times, readings).map { Picture(time: $0, mark: $1?.mark) }
    rotation = readings.lazy.compactMap { $0?.rotation }.first
    toneOnsets = try RecordedFilm.tones(path)
  }

  /// The frame numbers in order of presentation; `nil` where one cannot be read.
  public var numbers: [UInt32?] { pictures.map { $0.mark?.number } }

  /// Numbers between the first and the last one that no picture carries.
  public var missingNumbers: [UInt32] {
    let present = Set(numbers.compactMap(\.self))
    guard let first = present.min(), let last = present.max() else { return [] }
    return (first...last).filter { !present.contains($0) }
  }

  /// True when every picture is readable and each number is greater than the one before.
  public var isInOrder: Bool {
    let known = numbers.compactMap(\.self)
    return known.count == pictures.count && zip(known, known.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// Presentation times of the flashes, in seconds.
  public var flashTimes: [Double] { pictures.filter { $0.mark?.flash == true }.map(\.time) }

  /// For each flash, how much later its tone begins, in seconds; flashes without a tone within 0.4 s are left out.
  public var soundOffsets: [Double] {
    flashTimes.compactMap { flash in
      toneOnsets.map { $0 - flash }.min { abs($0) < abs($1) }.flatMap { abs($0) < 0.4 ? $0 : nil }
    }
  }

  /// The size after the display matrix is applied.
  private static func turnedSize(_ path: String) throws -> (width: Int, height: Int) {
    let probe = try probe(path, stream: "v:0", entries: "stream=width,height:stream_side_data=rotation")
    guard let stream = (probe["streams"] as? [[String: Any]])?.first,
      let width = stream["width"] as? Int, let height = stream["height"] as? Int
    else { throw UnreadableFilm(path: path, what: "no video stream") }
    let sides = stream["side_data_list"] as? [[String: Any]] ?? []
    let turn = sides.lazy.compactMap { $0["rotation"] as? Int }.first ?? 0
    return turn % 180 == 0 ? (width, height) : (height, width)
  }

  private static func packets(_ path: String, stream: String) throws -> [(time: Double, duration: Double)] {
    let probe = try probe(path, stream: stream, entries: "packet=pts_time,duration_time,flags")
    let packets = probe["packets"] as? [[String: Any]] ?? []
    return packets.compactMap { packet in
      guard let text = packet["pts_time"] as? String, let time = Double(text) else { return nil }
      // "D": lies before the start of the film and is not shown.
      if (packet["flags"] as? String)?.contains("D") == true { return nil }
      return (time, Double(packet["duration_time"] as? String ?? "") ?? 0)
    }
  }

  private static func tones(_ path: String) throws -> [Double] {
    let probe = try probe(path, stream: "a:0", entries: "stream=sample_rate")
    guard let stream = (probe["streams"] as? [[String: Any]])?.first,
      let rate = Double(stream["sample_rate"] as? String ?? "")
    else { return [] }
    let packets = try packets(path, stream: "a:0")
    let decoded = try Tool.run(
      ["ffmpeg", "-v", "error", "-i", path, "-map", "0:a:0", "-af", "pan=mono|c0=c0", "-f", "s16le", "-"],
      acceptsFailure: true)
    let samples = decoded.withUnsafeBytes { bytes in
      (0..<bytes.count / 2).map { Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self)) }
    }
    // Samples take their time from the packet they came in: sound with gaps keeps its place.
    var starts: [(sample: Double, time: Double)] = []
    var sample = 0.0
    for packet in packets {
      starts.append((sample, packet.time))
      sample += (packet.duration * rate).rounded()
    }
    return ToneReader(sampleRate: rate).onsets(in: samples).compactMap { onset in
      starts.last { $0.sample <= onset }.map { $0.time + (onset - $0.sample) / rate }
    }
  }

  private static func probe(_ path: String, stream: String, entries: String) throws -> [String: Any] {
    let json = try Tool.run(
      ["ffprobe", "-v", "error", "-select_streams", stream, "-show_entries", entries, "-of", "json", path])
    guard let object = try JSONSerialization.jsonObject(with: json) as? [String: Any] else {
      throw UnreadableFilm(path: path, what: "ffprobe answered no object")
    }
    return object
  }

  public struct UnreadableFilm: Error, CustomStringConvertible {
    public let path: String
    public let what: String
    public var description: String { "\(path): \(what)" }
  }
}
