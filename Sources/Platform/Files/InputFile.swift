import Foundation

/// A regular file that is open for reading, from the start or at any offset.
///
/// Thread: one at a time.
public struct InputFile: ~Copyable {
  /// Why the file was not opened; the caller words it for its own kind of file. Numbers are the system's (`errno`).
  public enum Refusal: Error, Hashable, Sendable {
    case notOpened(Int32)
    case notLookedAt(Int32)
    /// A folder, or else a device or a pipe.
    case notRegular(isDirectory: Bool)

    /// The reason, for people.
    public var words: String {
      switch self {
      case .notOpened(let number), .notLookedAt(let number): SystemError.words(for: number)
      case .notRegular(isDirectory: true): "it is a folder"
      case .notRegular(isDirectory: false): "it is a device, a pipe or a socket, not an ordinary file"
      }
    }
  }

  /// A read that failed, with the system's error number.
  public struct ReadFailure: Error, Hashable, Sendable {
    public let number: Int32
  }

  /// The size in bytes when the file was opened.
  public let size: Int64
  private let descriptor: Int32

  /// Opens the file; never waits (for a pipe, say).
  public init(path: String) throws(Refusal) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .notOpened(errno) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let number = errno
      close(descriptor)
      throw .notLookedAt(number)
    }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG else {
      close(descriptor)
      throw .notRegular(isDirectory: kind == S_IFDIR)
    }
    size = Int64(status.st_size)
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Asks for the lock that a recorder or a recovery holds on a film (`FilmLock`). It is shared with others who only
  /// read, and is held until this file is closed.
  public borrowing func lock() -> FilmLock.Answer { FilmLock.take(descriptor, isShared: true) }

  /// Lets go of it early.
  public borrowing func unlock() { flock(descriptor, LOCK_UN) }

  /// Reads once into `buffer`, from `offset` on; returns the number of bytes read, 0 at the end.
  public borrowing func read(into buffer: inout [UInt8], at offset: Int) throws(ReadFailure) -> Int {
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { room in
        unsafe Foundation.read(descriptor, room.baseAddress?.advanced(by: offset), room.count - offset)
      }
      if count >= 0 { return count }
      guard errno == EINTR else { throw ReadFailure(number: errno) }
    }
  }

  /// The content of a file of at most `limit` bytes.
  ///
  /// - Throws: `Refusal` or `ReadFailure`; `TooLong`.
  public static func read(path: String, limit: Int) throws -> [UInt8] {
    let file = try InputFile(path: path)
    guard file.size <= limit else { throw TooLong(limit: limit) }
    return try file.bytes(at: 0, count: Int(file.size))
  }

  public struct TooLong: Error, Hashable, Sendable {
    /// Bytes.
    public let limit: Int
  }

  /// Why a file was not read, for people; `nil` for an error that is not one of this type's.
  public static func words(for error: any Error) -> String? {
    switch error {
    case let refusal as Refusal: refusal.words
    case let failure as ReadFailure: SystemError.words(for: failure.number)
    case let failure as TooLong: "it is longer than \(failure.limit) bytes"
    default: nil
    }
  }

  /// Up to `count` bytes from `offset` on; fewer at the end of the file.
  public borrowing func bytes(at offset: UInt64, count: Int) throws(ReadFailure) -> [UInt8] {
    let there = min(count, Int(clamping: size - min(Int64(clamping: offset), size)))
    var bytes = [UInt8](repeating: 0, count: there), filled = 0
    while filled < there {
      let got = unsafe bytes.withUnsafeMutableBytes { room in
        unsafe pread(
          descriptor, room.baseAddress?.advanced(by: filled), there - filled, off_t(clamping: offset) + off_t(filled))
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw ReadFailure(number: errno) }
      // The file was truncated meanwhile.
      guard got > 0 else { return Array(bytes[..<filled]) }
      filled += got
    }
    return bytes
  }
}
