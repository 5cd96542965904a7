import CFFmpeg
import Foundation
import Frames
import Glibc
import Movies
import Platform
import RecorderAPI
import Synchronization

/// The file under a muxer: created without overwriting, and cut back to its whole part after a failure. A live film
/// goes through a buffer and a thread of its own (`DiskWriter`), any other film straight to the system; the bytes are
/// the same.
///
/// Thread: one at a time; `length`, `disk`, `confirmedEnd` and `isHeldUp` from any.
///
/// `@unchecked Sendable`: only the one thread that writes touches anything but the atomic `directLength` and the
/// writer.
final class MovieFile: @unchecked Sendable {
  private let port: any FilePort
  private let writer: DiskWriter?
  private(set) var output: UnsafeMutablePointer<AVIOContext>?
  private var directFailure: FileFailure?
  private let directLength = Atomic<Int64>(0)
  private let name: FileName
  private var directWhole = DiskMark()
  private var position: Int64 = 0
  private var nextLook = MonotonicTime.now().advanced(by: MovieFile.lookInterval)
  /// Bytes of the file so far, including those that wait.
  private(set) var size: Int64 = 0

  /// The settings of a live film's buffer.
  struct Buffer {
    let room: DiskRoom
    /// Seconds between the end of a fragment and its confirmation, beyond which the disk counts as stalled.
    let allowance: Double
    /// Called on the disk's thread with the file's length whenever a fragment is on the medium.
    let isConfirmed: @Sendable (Int64) -> Void
  }

  /// Creates `path`; an existing file is replaced only with `overwrite`.
  ///
  /// - Throws: code `output`.
  static func create(_ path: String, overwrite: Bool) throws(CamrecError) -> SystemFile {
    let descriptor: Int32
    do throws(SystemCallError) { descriptor = try open(path, overwrite: overwrite) } catch {
      var information = stat()
      let isDirectory = stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
      throw OutputPath.refusal(path, isDirectory ? EISDIR : error.number)
    }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      Glibc.close(descriptor)
      throw OutputPath.notAFile(path)
    }
    do throws(CamrecError) { try FilmLock.takeToReplace(descriptor, path: path) } catch {
      Glibc.close(descriptor)
      throw error
    }
    guard information.st_size == 0 || ftruncate(descriptor, 0) == 0 else {
      let number = errno
      Glibc.close(descriptor)
      throw OutputPath.refusal(path, number)
    }
    return SystemFile(descriptor: descriptor, path: OutputPath.resolved(path))
  }

  private static func open(_ path: String, overwrite: Bool) throws(SystemCallError) -> Int32 {
    let flags = O_RDWR | O_CREAT
    do throws(SystemCallError) { return try OpenFile.open(path, flags | O_EXCL, mode: SystemFile.mode) } catch {
      guard error.number == EEXIST, overwrite else { throw error }
      return try OpenFile.open(path, flags, mode: SystemFile.mode)
    }
  }

  /// A file that is written straight to the system.
  convenience init(path: String, overwrite: Bool) throws(CamrecError) {
    try self.init(try MovieFile.create(path, overwrite: overwrite), path: path, buffer: nil)
  }

  /// - Parameters:
  ///   - port: the open file.
  ///   - path: the file's name, which may be a link's.
  ///   - buffer: `nil` writes straight to the system.
  init(_ port: any FilePort, path: String, buffer: Buffer?) throws(CamrecError) {
    self.port = port
    let name = FileName(port, path: path)
    self.name = name
    writer = buffer.map {
      DiskWriter(
        port, capacity: $0.room.bytes, allowance: $0.allowance, isConfirmed: $0.isConfirmed, look: { _ = name.look() })
    }
    let bufferSize: Int32 = 1 << 16
    if let buffer = av_malloc(Int(bufferSize)) {
      output = CFFmpeg_openOutput(
        buffer.assumingMemoryBound(to: UInt8.self), bufferSize, Unmanaged.passUnretained(self).toOpaque(),
        { file, bytes, count in MovieFile.at(file).write(bytes, Int(count)) },
        { file, offset, whence in MovieFile.at(file).seek(offset, whence) })
      if output == nil { av_free(buffer) }
    }
    guard output != nil else {
      discard()
      throw CamrecError(.defect, "no memory for writing a film")
    }
  }

  deinit {
    if let output {
      av_free(output.pointee.buffer)
      var output: UnsafeMutablePointer<AVIOContext>? = output
      avio_context_free(&output)
    }
  }

  /// Removes the file again, unless its name belongs to another file by now.
  func discard() {
    if ![.unlinked, .unknown].contains(name.look()) { try? SystemCall.unlink(port.path) }
  }

  // MARK: Its name

  /// The file's name, as the latest look found it.
  var path: String { name.path }
  /// Whether the file still has its name, as the latest look found.
  var place: FilePlace { name.place }

  func look() -> FilePlace { name.look() }

  /// - Parameter room: as `FilePort`.
  /// - Throws: code `output`.
  func copy(to path: String, room: () -> Int64?) throws(CamrecError) {
    do throws(FileFailure) { try port.copy(to: path, room: room) } catch {
      throw OutputPath.refusal(path, error.number)
    }
  }

  var descriptorPath: String? { port.descriptorPath }

  // MARK: What is on the disk

  /// The file's length on the disk.
  var length: Int64 { writer?.length ?? directLength.load(ordering: .relaxed) }

  var disk: DiskStatus {
    if let writer { return writer.status }
    var status = DiskStatus()
    status.bytesWritten = length
    return status
  }

  func isHeldUp(since instant: MonotonicTime) -> Bool { writer?.isHeldUp(since: instant) ?? false }

  /// The system's first refusal, as far as it is known.
  var failure: FileFailure? { writer?.failure ?? directFailure }

  /// How far the file is reliably whole.
  var whole: DiskMark { writer?.whole ?? directWhole }

  /// Where the frames end that are confirmed to be on the medium, in ticks; `nil` for a file that is written straight
  /// to the system.
  var confirmedEnd: Int64? { writer?.confirmed.end }

  /// Marks the file as whole here.
  func mark(_ place: DiskMark) throws(LibavError) {
    guard let writer else {
      directWhole = place
      return
    }
    do throws(FileFailure) { try writer.mark(place) } catch { throw LibavError(error) }
  }

  /// Waits until the file's bytes are on the medium.
  func synchronize() throws(LibavError) {
    do throws(FileFailure) {
      if let writer { try writer.synchronize() } else { try port.synchronize() }
    } catch {
      throw LibavError(error)
    }
  }

  /// Synchronises after a failure that was reported, bypassing the writer, which takes nothing more.
  func synchronizeRest() { try? port.synchronize() }

  /// After a failure, cuts the file back to its whole part and has that confirmed, bypassing the writer, which takes
  /// nothing more. If the system refuses, cuts it back to what was confirmed before.
  ///
  /// - Returns: the file's length now, and its frames.
  func cutBack() -> DiskMark {
    let whole = whole
    truncate(to: whole.size)
    guard let writer, (try? port.synchronize()) == nil else { return whole }
    let confirmed = writer.confirmed
    if confirmed.size < whole.size { truncate(to: confirmed.size) }
    return confirmed
  }

  /// Waits until a live film's bytes are on the medium; a file that is written straight to the system waits only at its
  /// end.
  func drain() throws(LibavError) { if writer != nil { try synchronize() } }

  // MARK: Beside the muxer, which has ended

  func write(_ bytes: [UInt8], at offset: Int64) throws(LibavError) {
    position = offset
    _ = bytes.withUnsafeBufferPointer { write($0.baseAddress, $0.count) }
    if let failure { throw LibavError(failure) }
  }

  /// Cuts the file back to its first `size` bytes, after a failure or when all is written.
  func truncate(to size: Int64) {
    guard (try? port.truncate(to: size)) != nil else { return }
    self.size = size
    directLength.store(size, ordering: .relaxed)
    writer?.truncated(to: size)
  }

  // MARK: Under the muxer

  private static func at(_ opaque: UnsafeMutableRawPointer?) -> MovieFile {
    Unmanaged<MovieFile>.fromOpaque(opaque!).takeUnretainedValue()
  }

  private func write(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let bytes else { return 0 }
    let source = UnsafeRawBufferPointer(start: bytes, count: count)
    do throws(FileFailure) {
      if let writer { try writer.append(source.bytes, at: position) } else { try writeStraight(source) }
    } catch {
      return CFFmpeg_error(error.number)
    }
    position += Int64(count)
    size = max(size, position)
    return Int32(count)
  }

  /// Looks at the name once a second, for a file without a disk thread.
  func lookIfDue() {
    let now = MonotonicTime.now()
    guard now >= nextLook else { return }
    nextLook = now.advanced(by: MovieFile.lookInterval)
    _ = name.look()
  }

  private static let lookInterval: Int64 = 1_000_000_000

  private func writeStraight(_ bytes: UnsafeRawBufferPointer) throws(FileFailure) {
    // After a failure nothing may follow, or the file would have a hole where the lost bytes were.
    if let directFailure { throw directFailure }
    var done = 0
    do throws(FileFailure) {
      while done < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        let written = try port.write(rest.bytes, at: position + Int64(done))
        guard written > 0 else { throw FileFailure("pwrite", ENOSPC) }
        done += written
        directLength.store(max(length, position + Int64(done)), ordering: .relaxed)
      }
    } catch {
      directFailure = error
      throw error
    }
  }

  private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    switch whence {
    case AVSEEK_SIZE: return size
    case SEEK_SET: position = offset
    case SEEK_CUR: position += offset
    case SEEK_END: position = size + offset
    default: return Int64(CFFmpeg_error(EINVAL))
    }
    return position
  }
}

extension LibavError {
  /// What the system refused, as libav would report it.
  init(_ failure: FileFailure) { self.init(function: failure.call, code: CFFmpeg_error(failure.number)) }
}
