public import Audio
public import Frames

/// Where pictures and sound go. Thread: one at a time.
///
/// On a throw of `write` what was written before stays playable; call `finish` to close it as well as can be.
public protocol MovieSink: AnyObject, Sendable {
  /// Encodes and stores `frame` at `time` (ticks of `MovieSettings.timeBase`, greater than every one before).
  /// The memory goes back to its owner, on failure too.
  func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError)

  /// Stores the frame that was written last once more, at `time`, for one that is missing there.
  func repeatFrame(at time: Int64) throws(CamrecError)

  /// Stores sound, gapless after what came before; the first sample belongs at time 0.
  func write(_ sound: borrowing AudioBuffer) throws(CamrecError)

  /// Ends the last frame at `endTime` (ticks), drains the encoder and closes the file.
  ///
  /// - Throws: when the rest does not fit any more; a second call then reports what the file holds.
  func finish(at endTime: Int64) throws(CamrecError) -> MovieReport

  /// Calls a place of the film by a name, for a file that has chapters.
  ///
  /// - Parameter seconds: of this file.
  func mark(_ text: String, at seconds: Double)

  /// What is known on the way: bytes written so far.
  var bytesWritten: Int64 { get }

  /// What finishing the file adds to it, as things are now: an index, and what waits for the disk. Any thread.
  var closingBytes: Int64 { get }

  /// The file, under the name that it was found to have last; empty where there is none.
  var path: String { get }

  /// Whether that file has its name still, by the latest look. Any thread; never waits for the disk.
  var place: FilePlace { get }

  /// The same, looking now. Waits for the disk.
  func look() -> FilePlace

  /// Makes a new file of what is in this one, for a film that has no name any more. Waits for the disk.
  ///
  /// - Parameter room: bytes that the copy may still take on the disk; `nil` where nobody knows.
  /// - Throws: code `output`; nothing of the copy is left then.
  func copy(to path: String, room: () -> Int64?) throws(CamrecError)

  /// By which other programs can open the file while it is open here.
  var descriptorPath: String? { get }

  /// Why the file takes nothing more; `nil` while it does, and where nothing is known of it.
  var fault: OutputFault? { get }

  /// How the disk takes it. Any thread; never waits for the disk.
  var disk: DiskStatus { get }

  /// Whether `write` was held up by the disk at any time since `instant`: what was lost in front of it since then is
  /// the disk's loss. Any thread.
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
  /// For sinks that have no frame in the place of one that is missing.
  public func repeatFrame(at time: Int64) throws(CamrecError) {}
  /// For sinks without chapters.
  public func mark(_ text: String, at seconds: Double) {}
  /// For sinks without an index.
  public var closingBytes: Int64 { Int64(disk.waitingBytes) }
  public var fault: OutputFault? { nil }
  /// For sinks without a disk of their own.
  public var disk: DiskStatus { DiskStatus() }
  public func isHeldUp(since instant: MonotonicTime) -> Bool { false }
}

extension MovieSink {
  /// Bytes of the file, those included that still wait for the disk.
  public var bytesTaken: Int64 { bytesWritten + Int64(disk.waitingBytes) }
}

/// What a finished movie turned out to be.
public struct MovieReport: Hashable, Sendable {
  public let path: String
  public let bytes: Int64
  public let frames: Int64
  /// Sentences about anything that is not as it should be (the index did not fit, …).
  public let warnings: [String]

  public init(path: String, bytes: Int64, frames: Int64, warnings: [String] = []) {
    self.path = path
    self.bytes = bytes
    self.frames = frames
    self.warnings = warnings
  }
}
