public import Audio
public import Frames
public import RecorderAPI

/// Where frames and audio go. Thread: one at a time.
///
/// When `write` throws, what was written before stays playable, unless only a complete film is kept; call `finish` to
/// close it as well as possible.
public protocol MovieSink: AnyObject, Sendable {
  /// Encodes and stores `frame` at `time` (ticks of `MovieSettings.timeBase`, later than all before). The memory goes
  /// back to its owner, on failure too.
  func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError)

  /// Stores the last frame once more, at `time`, in place of a missing frame.
  func repeatFrame(at time: Int64) throws(CamrecError)

  /// Stores audio, which follows the audio before it without a gap; the first sample belongs at time 0.
  func write(_ sound: borrowing AudioBuffer) throws(CamrecError)

  /// Ends the last frame at `endTime` (ticks), drains the encoder and closes the file.
  ///
  /// - Throws: if the rest no longer fits; a second call then reports what the file holds, or held.
  func finish(at endTime: Int64) throws(CamrecError) -> MovieReport

  /// Names a place in the film, in a file that has chapters.
  ///
  /// - Parameter seconds: from the beginning of this file.
  func mark(_ text: String, at seconds: Double)

  /// Bytes written so far.
  var bytesWritten: Int64 { get }

  /// Bytes that finishing the file now would add: an index, and what waits for the disk. Any thread.
  var closingBytes: Int64 { get }

  /// The file's name, as last found; empty without a file.
  var path: String { get }

  /// Whether that file still has its name, as the latest look found. Any thread; never waits for the disk.
  var place: FilePlace { get }

  /// The same, looking now. Waits for the disk.
  func look() -> FilePlace

  /// Copies this file's content to a new file, for a film that has no name any more. Waits for the disk.
  ///
  /// - Parameter room: bytes that the copy may still use on the disk; `nil` if unknown.
  /// - Throws: code `output`; nothing of the copy is left then.
  func copy(to path: String, room: () -> Int64?) throws(CamrecError)

  /// The path by which other programs can open the file while it is open here.
  var descriptorPath: String? { get }

  /// Why the file takes nothing more; `nil` while it does, and if that is unknown.
  var fault: OutputFault? { get }

  /// How well the disk keeps up. Any thread; never waits for the disk.
  var disk: DiskStatus { get }

  /// Where the frames end that are on the medium, in ticks of `MovieSettings.timeBase` from the beginning of this file;
  /// `nil` if nobody has that confirmed. Any thread; never waits for the disk.
  var confirmedEnd: Int64? { get }

  /// Seconds of the newest film, from capture to medium, that a crash costs at most while bake, encoder and disk keep
  /// up; `nil` if that is unknown, and for a film that is not live. Any thread.
  var lossBound: Double? { get }

  /// Whether the disk has held up `write` at any time since `instant`; frames lost in front of it since then are the
  /// disk's loss. Any thread.
  func isHeldUp(since instant: MonotonicTime) -> Bool
}

extension MovieSink {
  public var path: String { "" }
  /// For sinks without a file that somebody could rename or delete.
  public var place: FilePlace { .inPlace }
  public func look() -> FilePlace { .inPlace }
  public func copy(to path: String, room: () -> Int64?) throws(CamrecError) {
    throw CamrecError(.defect, "there is no file to copy to '\(path)'")
  }
  public var descriptorPath: String? { nil }
  /// For sinks that put no frame in the place of a missing one.
  public func repeatFrame(at time: Int64) throws(CamrecError) {}
  /// For sinks without chapters.
  public func mark(_ text: String, at seconds: Double) {}
  /// For sinks without an index.
  public var closingBytes: Int64 { Int64(disk.waitingBytes) }
  public var fault: OutputFault? { nil }
  /// For sinks without a disk of their own.
  public var disk: DiskStatus { DiskStatus() }
  public var confirmedEnd: Int64? { nil }
  public var lossBound: Double? { nil }
  public func isHeldUp(since instant: MonotonicTime) -> Bool { false }
}

extension MovieSink {
  /// Bytes of the file, including those that still wait for the disk.
  public var bytesTaken: Int64 { bytesWritten + Int64(disk.waitingBytes) }
}

/// What a finished film contains.
public struct MovieReport: Hashable, Sendable {
  public let path: String
  public let bytes: Int64
  public let frames: Int64
  /// Audio samples of each channel in the file; `nil` without audio, or where nobody counts them.
  public let samples: Int64?
  /// Where the frame in the file that is shown last ends, in ticks, if a failure has cut it off; `nil` if it ends where
  /// it was to end.
  public let end: Int64?
  /// False if the file is gone with its frames: a failure ended it, and only a complete one was to be kept.
  public let isKept: Bool
  /// Sentences about anything that is not as it should be (the index did not fit, …).
  public let warnings: [String]

  public init(
    path: String, bytes: Int64, frames: Int64, samples: Int64? = nil, end: Int64? = nil, isKept: Bool = true,
    warnings: [String] = []
  ) {
    self.path = path
    self.bytes = bytes
    self.frames = frames
    self.samples = samples
    self.end = end
    self.isKept = isKept
    self.warnings = warnings
  }
}
