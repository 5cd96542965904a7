import Digest
import Foundation
import Frames

/// What has become of the items of a list, a file each in a folder: what several processes, on several machines, share.
///
/// A file is there whole or not at all, and says of which inputs it is; one that is of others is none.
///
/// Thread: any.
struct ResultFolder<Outcome: Codable>: Sendable {
  let path: String

  private struct Record: Codable {
    let inputs: String
    let outcome: Outcome
  }

  private let ending = ".result.json"

  /// - Parameter path: is made where it is not there.
  /// - Throws: code `output`.
  init(_ path: String) throws(CamrecError) {
    self.path = path
    do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
      throw CamrecError(.output, "the folder '\(path)' cannot be made", cause: error.localizedDescription)
    }
  }

  /// The names of the items of which something is there.
  var names: Set<String> {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return Set(files.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) })
  }

  /// - Parameter inputs: all that decides what becomes of it, in a hash.
  /// - Returns: `nil` where there is none of these inputs.
  func outcome(_ name: String, of inputs: String) -> Outcome? {
    guard let bytes = try? InputFile.read(path: file(name), limit: 1 << 26),
      let record = try? JSONDecoder().decode(Record.self, from: Data(bytes)), record.inputs == inputs
    else { return nil }
    return record.outcome
  }

  /// - Throws: code `output`.
  func write(_ outcome: Outcome, _ name: String, of inputs: String) throws(CamrecError) {
    guard let data = try? JSONEncoder().encode(Record(inputs: inputs, outcome: outcome)) else {
      throw CamrecError(.defect, "an outcome has no text")
    }
    let mark = AtomicFile.Mark(name: "result", text: "\"inputs\":")
    try AtomicFile(path: file(name), mark: mark, mode: 0o644).replace(with: data)
  }

  func remove(_ name: String) { try? FileManager.default.removeItem(atPath: file(name)) }

  /// Removes all of it unless somebody may want it: to go on with it, or to see what tasks said.
  func leave(isWanted: Bool) {
    if isWanted {
      HumanText.write("what was done lies in '\(path)'; '--results \(path)' does not do it again\n")
    } else {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  private func file(_ name: String) -> String { "\(path)/\(name)\(ending)" }

  /// A hash of words, and of the program that makes something of them.
  static func inputs(_ words: [String]) -> String {
    SHA256.hash(Array((CamrecProgram.identity + words).joined(separator: "\n").utf8))
  }
}
