import Foundation
import Frames

/// A .cube file that is open for reading.
struct CubeFile: ~Copyable {
  let path: String
  /// Bytes, when it was opened.
  let size: Int
  private let descriptor: Int32

  /// - Throws: code `input` for what cannot be opened and for what is no regular file. Never waits (for a pipe, say).
  init(path: String) throws(CamrecError) {
    guard !path.isEmpty else { throw CamrecError(.input, "the LUT's name is empty; give the path of a .cube file") }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT: throw CamrecError(.input, "the LUT \(path) does not exist; check the path")
      case EACCES: throw CamrecError(.input, "the LUT \(path) may not be read; check its permissions")
      default: throw CamrecError(.input, "the LUT \(path) cannot be opened", cause: Self.reason(errno))
      }
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let reason = Self.reason(errno)
      close(descriptor)
      throw CamrecError(.input, "the LUT \(path) cannot be looked at", cause: reason)
    }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG else {
      close(descriptor)
      let found = kind == S_IFDIR ? "a directory" : "a device or a pipe"
      throw CamrecError(.input, "the LUT \(path) is \(found); give the path of a .cube file")
    }
    self.path = path
    self.size = Int(status.st_size)
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Fills `buffer` from `offset` on as far as one read goes; returns the bytes read, 0 at the end.
  borrowing func read(into buffer: inout [UInt8], at offset: Int) throws(CamrecError) -> Int {
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { room in
        unsafe Foundation.read(descriptor, room.baseAddress?.advanced(by: offset), room.count - offset)
      }
      if count >= 0 { return count }
      guard errno == EINTR else {
        throw CamrecError(.input, "reading the LUT \(path) failed", cause: Self.reason(errno))
      }
    }
  }

  private static func reason(_ code: Int32) -> String { SystemError.words(for: code) }
}
