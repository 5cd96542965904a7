import Foundation
import Frames
import Platform

/// A .cube file that is open for reading.
struct CubeFile: ~Copyable {
  let path: String
  /// The size in bytes when the file was opened.
  var size: Int { Int(file.size) }
  private let file: InputFile

  /// Opens the file; never waits (for a pipe, say).
  ///
  /// - Throws: code `input` if it cannot be opened or is not a regular file.
  init(path: String) throws(CamrecError) {
    guard !path.isEmpty else { throw CamrecError(.input, "the LUT's name is empty; give the path of a .cube file") }
    do throws(InputFile.Refusal) {
      file = try InputFile(path: path)
    } catch {
      throw CubeFile.sentence(error, path)
    }
    self.path = path
  }

  private static func sentence(_ refusal: InputFile.Refusal, _ path: String) -> CamrecError {
    switch refusal {
    case .notOpened(ENOENT): CamrecError(.input, "the LUT \(path) does not exist; check the path")
    case .notOpened(EACCES): CamrecError(.input, "no permission to read the LUT \(path); check its permissions")
    case .notOpened(let number):
      CamrecError(.input, "the LUT \(path) cannot be opened", cause: SystemError.words(for: number))
    case .notLookedAt(let number):
      CamrecError(.input, "the LUT \(path) cannot be examined", cause: SystemError.words(for: number))
    case .notRegular(let isDirectory):
      CamrecError(
        .input,
        "the LUT \(path) is \(isDirectory ? "a folder" : "a device or a pipe"); give the path of a .cube file")
    }
  }

  /// Reads once into `buffer`, from `offset` on; returns the number of bytes read, 0 at the end.
  borrowing func read(into buffer: inout [UInt8], at offset: Int) throws(CamrecError) -> Int {
    do throws(InputFile.ReadFailure) {
      return try file.read(into: &buffer, at: offset)
    } catch {
      throw CamrecError(.input, "reading the LUT \(path) failed", cause: SystemError.words(for: error.number))
    }
  }
}
