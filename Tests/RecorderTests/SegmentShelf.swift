import Audio
import Foundation
import Frames
import Movies
import Platform
import Recorder
import RecorderAPI
import Sidecar
import Synchronization

/// Files of a recording in memory, each with all that was written to it.
final class SegmentShelf: Sendable {
  struct Contents: Sendable {
    var path = ""
    var start: SegmentStart?
    var ticks: [Int64] = []
    var firstBytes: [UInt8] = []
    var samples: [Int16] = []
    var endTicks: Int64?
    var markers: [RecorderState.Marker] = []
  }

  struct FullDisk: Sendable {
    /// The file by its number from 0.
    var file: Int
    /// The frame in it that finds the disk full.
    var frame: Int
    /// What is known of that failure.
    var fault: OutputFault?
    /// How many frames of the file the disk has kept; `nil`: all that it was given.
    var stored: Int?
  }

  /// What goes wrong, or is held up.
  struct Script: Sendable {
    /// Where the disk is full, at most once a file.
    var fullDisks: [FullDisk] = []
    var prepare: @Sendable (_ file: Int) throws(CamrecError) -> Void = { (_) throws(CamrecError) in }
    var finish: @Sendable (_ file: Int) throws(CamrecError) -> Void = { (_) throws(CamrecError) in }
    var wrote: @Sendable (_ file: Int, _ frame: Int) -> Void = { _, _ in }
    /// Where the frames of a file end that are on the medium, in ticks.
    var confirmed: @Sendable (_ file: Int) -> Int64? = { _ in nil }
    /// The frame of the first file behind which that file is deleted.
    var deletedBehind: Int?
    /// The file that is found renamed when it is finished, and its new path.
    var renamed: (file: Int, path: String)?
    /// What a file's end is reported with.
    var warnings: @Sendable (_ file: Int) -> [String] = { _ in [] }
  }

  let folder: String?
  let script: Script
  private let state = Mutex<(files: [Contents], prepared: Int, discarded: Int)>(([], 0, 0))

  /// - Parameter folder: where sidecars are written; `nil` for none.
  init(folder: String? = nil, script: Script = Script()) {
    self.folder = folder
    self.script = script
  }

  var files: [Contents] { state.withLock { $0.files } }
  var discarded: Int { state.withLock { $0.discarded } }
  func path(_ number: Int) -> String { "\(folder ?? "memory")/take-\(number + 1).mov" }

  func open(_ start: SegmentStart?) -> any MovieSink {
    let index = state.withLock { state in
      state.files.append(Contents(path: path(state.files.count), start: start))
      return state.files.count - 1
    }
    return Sink(shelf: self, index: index)
  }

  func head(_ index: Int, rate: FrameRate, timeBase: Rational) -> SidecarHead {
    SidecarHead(
      software: "camrec 0", film: "take-\(index + 1).mov", camera: "scripted", width: 16, height: 16,
      pixelFormat: "nv12", frameRate: rate, timeBase: timeBase, colorIn: "rec709", colorOut: "rec709", codec: "hevc",
      microphone: "counting", sampleRate: 48_000, start: Date(timeIntervalSince1970: 0))
  }

  func plan(
    _ length: SegmentLength?, mostBytes: Int64? = nil, mostFinishing: Int = 2, rate: FrameRate, timeBase: Rational,
    timeOfDay: @escaping @Sendable (MonotonicTime) -> Double = { _ in 0 }
  ) -> SegmentPlan {
    SegmentPlan(
      length: length, mostBytes: mostBytes, mostFinishing: mostFinishing, timeOfDay: timeOfDay,
      prepare: { () throws(CamrecError) in
        let index = self.state.withLock { state in
          state.prepared += 1
          return state.prepared
        }
        try self.script.prepare(index)
        return Prepared(shelf: self, path: self.path(index), rate: rate, timeBase: timeBase, index: index)
      })
  }

  private final class Prepared: PreparedSegment {
    let shelf: SegmentShelf
    let path: String
    let rate: FrameRate
    let timeBase: Rational
    let index: Int

    init(shelf: SegmentShelf, path: String, rate: FrameRate, timeBase: Rational, index: Int) {
      (self.shelf, self.path, self.rate, self.timeBase, self.index) = (shelf, path, rate, timeBase, index)
    }

    func begin(_ start: SegmentStart) throws(CamrecError) -> any MovieSink { shelf.open(start) }

    func openSidecar(_ start: SegmentStart) throws(CamrecError) -> SidecarWriter? {
      guard shelf.folder != nil else { return nil }
      return try SidecarWriter(film: path, head: shelf.head(index, rate: rate, timeBase: timeBase))
    }

    func discard() { shelf.state.withLock { $0.discarded += 1 } }
  }

  private final class Sink: MovieSink {
    let shelf: SegmentShelf
    let index: Int

    init(shelf: SegmentShelf, index: Int) { (self.shelf, self.index) = (shelf, index) }

    private func change<R: Sendable>(_ body: @Sendable (inout Contents) -> R) -> R {
      shelf.state.withLock { body(&$0.files[index]) }
    }

    var place: FilePlace {
      guard let frame = shelf.script.deletedBehind, index == 0 else { return .inPlace }
      return change { $0.ticks.count } > frame ? .unlinked : .inPlace
    }

    func look() -> FilePlace {
      guard let renamed = shelf.script.renamed, renamed.file == index else { return .inPlace }
      return .renamed(renamed.path)
    }

    func mark(_ text: String, at seconds: Double) {
      change { $0.markers.append(RecorderState.Marker(text: text, seconds: seconds)) }
    }

    private var full: FullDisk? { shelf.script.fullDisks.first { $0.file == index } }

    var fault: OutputFault? {
      guard let full else { return nil }
      return change { $0.ticks.count } == full.frame ? full.fault : nil
    }

    var confirmedEnd: Int64? { shelf.script.confirmed(index) }

    /// A thousand bytes a frame.
    var bytesWritten: Int64 { change { Int64($0.ticks.count) * 1000 } }

    func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) {
      let first = frame.withPlane(0) { $0[0] }
      let number = change { $0.ticks.count }
      if let full, full.frame == number {
        throw CamrecError(.output, "the disk is full")
      }
      change {
        $0.ticks.append(time)
        $0.firstBytes.append(first)
      }
      shelf.script.wrote(index, number)
    }

    func write(_ sound: borrowing AudioBuffer) throws(CamrecError) {
      let channels = sound.format.channels
      let left = sound.withBytes { bytes in
        let samples = bytes.bindMemory(to: Int16.self)
        return stride(from: 0, to: samples.count, by: channels).map { samples[$0] }
      }
      change { $0.samples += left }
    }

    func finish(at endTime: Int64) throws(CamrecError) -> MovieReport {
      try shelf.script.finish(index)
      let kept = full?.stored ?? .max, warnings = shelf.script.warnings(index)
      return change {
        $0.endTicks = endTime
        let frames = Int64(min($0.ticks.count, kept))
        return MovieReport(path: $0.path, bytes: frames * 1000, frames: frames, warnings: warnings)
      }
    }
  }
}

/// Each sample of the left channel is its own number, by 16 bits.
final class CountingMicrophone: Microphone {
  let name = "counting microphone"
  let format = AudioFormat.standard
  let isPulled: Bool
  private let block: Int
  /// Audio frames after which the device loses some, and how many.
  private let loss: (at: Int, count: Int)?
  private let total: Int
  private let position = Mutex(0)

  init(isPulled: Bool, block: Int = 480, total: Int, loss: (at: Int, count: Int)? = nil) {
    (self.isPulled, self.block, self.total, self.loss) = (isPulled, block, total, loss)
  }

  func start() throws(CamrecError) {}
  func stop() {}

  func read(into buffer: inout AudioBuffer) throws(CamrecError) -> Bool {
    let capacity = buffer.capacity
    let (first, count, lost) = position.withLock { position in
      var lost = 0
      if let loss, position == loss.at {
        position += loss.count
        lost = loss.count
      }
      var count = min(capacity, block, total - position)
      if let loss, position < loss.at { count = min(count, loss.at - position) }
      defer { position += count }
      return (position, count, lost)
    }
    if !isPulled { WorkThread.sleep(.microseconds(count > 0 ? 200 : 2000)) }
    buffer.count = count
    buffer.lostBefore = lost
    buffer.time = ScriptedClock.time(ofSample: first)
    buffer.withMutableBytes { bytes in
      let samples = bytes.bindMemory(to: Int16.self)
      for index in 0..<count { samples[2 * index] = Int16(truncatingIfNeeded: first + index) }
    }
    return isPulled ? count > 0 : true
  }
}
