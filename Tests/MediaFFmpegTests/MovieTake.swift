import Audio
import Foundation
import Frames
import MediaFFmpeg
import Movies
import Platform
import RecorderAPI
import Synchronization

/// A directory for one test's files, gone with it.
final class MovieDirectory {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-movies-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path))?.sorted() ?? [] }
}

extension MovieSink {
  /// Waits until the disk has what it was given.
  func settle() {
    while disk.waitingBytes > 0 || disk.stalledCall != nil { WorkThread.sleep(.milliseconds(1)) }
  }
}

/// Lends one picture's memory again and again and counts how often it came back.
///
/// `@unchecked Sendable`: the pointer is constant; counts are atomic.
final class CountingOwner: FrameOwner, @unchecked Sendable {
  private let memory: UnsafeMutableRawPointer
  private let storage: FrameStorage
  private let format: FrameFormat
  private let ended = Atomic<Int>(0)

  init(_ format: FrameFormat) {
    self.format = format
    memory = UnsafeMutableRawPointer.allocate(byteCount: format.byteCount, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 64, count: format.byteCount)
    var offset = 0
    var planes: [UnsafeMutableRawPointer] = []
    for plane in 0..<format.planeCount {
      planes.append(memory + offset)
      offset += format.planeBytes(plane)
    }
    storage = FrameStorage(planes: planes)
  }

  deinit { memory.deallocate() }

  var back: Int { ended.load(ordering: .relaxed) }
  func lend() -> Frame { Frame(format: format, storage: storage, owner: self) }
  func frameEnded(_ storage: FrameStorage) { ended.add(1, ordering: .relaxed) }
}

/// Moving synthetic pictures: slanted stripes that run to the left. Each differs from the one before everywhere.
enum TestPicture {
  /// The samples of picture `number`, plane after plane, rows packed without padding.
  static func bytes(_ number: Int, _ format: FrameFormat) -> Data {
    var result = Data()
    for plane in 0..<format.planeCount {
      let row = format.layout.rowBytes(plane: plane, width: format.width)
      for y in 0..<format.layout.rows(plane: plane, height: format.height) {
        result.append(contentsOf: ramp(format.layout)[start(number, plane, y)..<(start(number, plane, y) + row)])
      }
    }
    return result
  }

  static func draw(_ number: Int, into frame: inout Frame) {
    let format = frame.format
    for plane in 0..<format.planeCount {
      let row = format.layout.rowBytes(plane: plane, width: format.width)
      let stride = format.stride(plane: plane)
      let rows = format.layout.rows(plane: plane, height: format.height)
      frame.withMutablePlane(plane) { bytes in
        ramp(format.layout).withUnsafeBytes { ramp in
          for y in 0..<rows {
            let first = start(number, plane, y)
            UnsafeMutableRawBufferPointer(rebasing: bytes[(y * stride)..<(y * stride + row)])
              .copyMemory(from: UnsafeRawBufferPointer(rebasing: ramp[first..<(first + row)]))
          }
        }
      }
    }
  }

  /// Where in the ramp a row begins: an even byte, so that samples of 16 bits stay whole.
  private static func start(_ number: Int, _ plane: Int, _ y: Int) -> Int { 2 * ((3 * number + y * (plane + 1)) % 150) }

  private static func ramp(_ layout: PixelLayout) -> [UInt8] { layout.bitDepth > 8 ? deepRamp : flatRamp }
  /// Up and down between 40 and 190.
  private static let flatRamp = (0..<4096).map { UInt8(40 + abs(150 - $0 % 300)) }
  /// The same in ten bits, low byte first.
  private static let deepRamp = (0..<2048).flatMap { index -> [UInt8] in
    let value = 160 + 4 * abs(150 - index % 300) + index % 4
    return [UInt8(value & 0xFF), UInt8(value >> 8)]
  }
}

/// Records synthetic pictures and sound into a movie.
struct MovieTake {
  var settings: MovieSettings
  /// Presentation times in ticks, and when the last picture ends.
  var times: [Int64]
  var endTime: Int64

  /// `count` pictures at the settings' constant rate.
  init(_ settings: MovieSettings, frames count: Int) {
    self.settings = settings
    let ticks = MovieTake.ticks(settings)
    times = (0..<count).map { Int64($0) * ticks }
    endTime = Int64(count) * ticks
  }

  init(_ settings: MovieSettings, times: [Int64], endTime: Int64) {
    self.settings = settings
    self.times = times
    self.endTime = endTime
  }

  static func ticks(_ settings: MovieSettings) -> Int64 {
    (settings.frameRate.frameDuration * settings.timeBase.inverse).scaling(1)
  }

  /// Settings as tests mostly want them: small, silent, live, at 24 fps.
  static func settings(
    _ path: String, container: Container = .mov, width: Int = 192, height: Int = 128, layout: PixelLayout = .yuv420p,
    color: ColorDescription = .rec709, rate: FrameRate = FrameRate(Rational(24))!, audio: AudioFormat? = nil,
    encoding: VideoEncoding = VideoEncoding(), rotation: Rotation = .none, timecode: Timecode? = nil,
    metadata: [MetadataEntry] = [], isLive: Bool = true
  ) -> MovieSettings {
    MovieSettings(
      path: path, container: container, format: FrameFormat(width: width, height: height, layout: layout, color: color),
      frameRate: rate, audio: audio, encoding: encoding, rotation: rotation, timecode: timecode,
      creationTime: 1_795_255_200, metadata: metadata, isLive: isLive)
  }

  /// Writes everything, sound in step with the pictures.
  ///
  /// - Parameter after: called after each picture with its number.
  @discardableResult
  func record(
    to sink: any MovieSink, soundUntil: Double = .infinity, after: (Int) throws -> Void = { _ in }
  ) throws -> MovieReport {
    let pool = FramePool(format: settings.format, capacity: 64)
    let format = settings.audio ?? .standard
    var sound = AudioBuffer(format: format, capacity: format.sampleRate)
    var samples = 0
    for (number, time) in times.enumerated() {
      guard var frame = pool.take() else { throw Exhausted() }
      TestPicture.draw(number, into: &frame)
      try sink.write(frame, at: time)
      if settings.audio != nil {
        let next = number + 1 < times.count ? times[number + 1] : endTime
        let end = min(Double(next) * settings.timeBase.doubleValue, soundUntil)
        let count = Int(end * Double(sound.format.sampleRate)) - samples
        if count > 0 {
          MovieTake.draw(from: samples, count: count, into: &sound)
          try sink.write(sound)
          samples += count
        }
      }
      try after(number)
    }
    return try sink.finish(at: endTime)
  }

  @discardableResult
  func record() throws -> MovieReport { try record(to: try MovieWriter.open(settings)) }

  struct Exhausted: Error {}

  /// A ramp that says where each sample belongs.
  static func draw(from first: Int, count: Int, into buffer: inout AudioBuffer) {
    let format = buffer.format
    buffer.count = count
    buffer.withMutableBytes { bytes in
      for frame in 0..<count {
        for channel in 0..<format.channels {
          let value = sample(first + frame, channel)
          let index = frame * format.channels + channel
          switch format.sample {
          case .s16: bytes.storeBytes(of: Int16(truncatingIfNeeded: value), toByteOffset: 2 * index, as: Int16.self)
          case .s32:
            bytes.storeBytes(of: Int32(truncatingIfNeeded: value) << 8, toByteOffset: 4 * index, as: Int32.self)
          }
        }
      }
    }
  }

  /// The sample at `index`, of which s16 keeps the low 16 bits and s32 24.
  static func sample(_ index: Int, _ channel: Int) -> Int { index * 37 + channel * 5000 }
}
