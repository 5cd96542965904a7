import Digest
import Foundation
package import Frames
package import Platform

/// Opens a file that the user named, and explains failures.
package enum NamedFile {
  /// Reads it in one piece.
  ///
  /// - Parameters:
  ///   - what: what it is, for the sentence: `list`.
  ///   - limit: bytes at most.
  /// - Throws: code `input`.
  package static func read(path: String, what: String, limit: Int) throws(CamrecError) -> [UInt8] {
    let file = try open(path, what)
    guard file.size <= limit else {
      throw CamrecError(.input, "'\(path)' is longer than \(limit) bytes, too long for a \(what)")
    }
    do throws(InputFile.ReadFailure) { return try file.bytes(at: 0, count: Int(file.size)) } catch {
      throw unread(path, error)
    }
  }

  /// The SHA-256 of the whole file, in lower-case hexadecimal.
  ///
  /// - Throws: code `input`.
  package static func digest(path: String, what: String) throws(CamrecError) -> String {
    let file = try open(path, what)
    var hash = SHA256()
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    do throws(InputFile.ReadFailure) {
      while true {
        let count = try file.read(into: &buffer, at: 0)
        if count == 0 { return hash.finish() }
        hash.update(buffer.span.extracting(first: count))
      }
    } catch { throw unread(path, error) }
  }

  /// The error for a file whose reading failed.
  package static func unread(_ path: String, _ failure: InputFile.ReadFailure) -> CamrecError {
    CamrecError(.input, "cannot read '\(path)' to its end", cause: SystemError.words(for: failure.number))
  }

  /// - Parameter what: what it is, for the sentence: `film`.
  /// - Throws: code `input`.
  package static func open(_ path: String, _ what: String) throws(CamrecError) -> InputFile {
    do throws(InputFile.Refusal) { return try InputFile(path: path) } catch {
      switch error {
      case .notOpened(ENOENT): throw CamrecError(.input, "there is no \(what) '\(path)'")
      case .notOpened(let number), .notLookedAt(let number):
        throw CamrecError(.input, "'\(path)' cannot be opened", cause: SystemError.words(for: number))
      case .notRegular(isDirectory: true): throw CamrecError(.input, "'\(path)' is a folder; name a \(what) in it")
      case .notRegular: throw CamrecError(.input, "'\(path)' is not an ordinary file")
      }
    }
  }
}
