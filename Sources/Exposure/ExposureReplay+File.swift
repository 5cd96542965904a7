import Foundation
public import Frames
import Platform

extension ExposureReplay {
  /// A line with 65 536 steps of gain is shorter.
  private static let longestLine = 1 << 20

  /// Replays a file. Stops at the first decision that differs.
  ///
  /// - Throws: code `input` if the file cannot be read or is not a trace, with the line.
  public init(readingFile path: String) throws(CamrecError) {
    self.init(name: path)
    guard !path.isEmpty else {
      throw CamrecError(.input, "the trace's name is empty; give the path of an exposure trace")
    }
    try read(try ExposureReplay.open(path), path)
  }

  private static func open(_ path: String) throws(CamrecError) -> InputFile {
    do throws(InputFile.Refusal) { return try InputFile(path: path) } catch {
      throw CamrecError(.input, "the trace \(path) cannot be opened; check the path", cause: error.words)
    }
  }

  private mutating func read(_ file: consuming InputFile, _ path: String) throws(CamrecError) {
    var held: [UInt8] = [], piece = [UInt8](repeating: 0, count: 64 * 1024)
    while difference == nil {
      let count: Int
      do throws(InputFile.ReadFailure) { count = try file.read(into: &piece, at: 0) } catch {
        throw CamrecError(
          .input, "reading the trace \(path) failed", cause: SystemError.words(for: error.number))
      }
      if count == 0 { break }
      held += piece.prefix(count)
      try takeLines(&held)
    }
    if difference == nil { try finish(isCut: !held.isEmpty) }
  }

  /// Takes the complete lines, and leaves the rest.
  private mutating func takeLines(_ bytes: inout [UInt8]) throws(CamrecError) {
    var start = 0
    while difference == nil, let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      try take(String(decoding: bytes[start..<end], as: UTF8.self))
      start = end + 1
    }
    bytes.removeFirst(start)
    guard bytes.count <= Self.longestLine else {
      throw CamrecError(.input, "\(name), line \(lines + 1): longer than 1 MiB; an exposure trace has no such lines")
    }
  }
}
