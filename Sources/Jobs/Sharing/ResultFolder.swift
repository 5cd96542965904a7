import Assembly
import Digest
import Foundation
package import Frames
import Platform
import Reporting

/// The outcomes of a list's items, one file each, in a folder that several processes on several machines share.
///
/// Each file appears complete or not at all, and records its inputs. A file from other inputs is ignored.
///
/// Thread: any.
package struct ResultFolder<Outcome: Codable>: Sendable {
  package let path: String

  private struct Record: Codable {
    let inputs: String
    let outcome: Outcome
  }

  private let ending = ".result.json"

  /// - Parameter path: the folder; created if it is missing.
  /// - Throws: code `output`.
  package init(_ path: String) throws(CamrecError) {
    self.path = path
    do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
      throw CamrecError(.output, "cannot create the folder '\(path)'", cause: error.localizedDescription)
    }
  }

  /// The names of the items that have a file.
  package var names: Set<String> {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return Set(files.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) })
  }

  /// - Parameter inputs: a hash of everything that the outcome depends on.
  /// - Returns: `nil` if there is no outcome from these inputs.
  package func outcome(_ name: String, of inputs: String) -> Outcome? {
    guard let bytes = try? InputFile.read(path: file(name), limit: 1 << 26),
      let record = try? JSONDecoder().decode(Record.self, from: Data(bytes)), record.inputs == inputs
    else { return nil }
    return record.outcome
  }

  /// The outcomes of the names that begin so, from any inputs.
  package func outcomes(beginning: String) -> [Outcome] {
    names.filter { $0.hasPrefix(beginning) }.compactMap { name in
      guard let bytes = try? InputFile.read(path: file(name), limit: 1 << 26) else { return nil }
      return (try? JSONDecoder().decode(Record.self, from: Data(bytes)))?.outcome
    }
  }

  /// - Throws: code `output`.
  package func write(_ outcome: Outcome, _ name: String, of inputs: String) throws(CamrecError) {
    guard let data = try? JSONEncoder().encode(Record(inputs: inputs, outcome: outcome)) else {
      throw CamrecError(.defect, "cannot encode an outcome as JSON")
    }
    let mark = AtomicFile.Mark(name: "result", text: "\"inputs\":")
    try AtomicFile(path: file(name), mark: mark, mode: 0o644).replace(with: data)
  }

  package func remove(_ name: String) { try? FileManager.default.removeItem(atPath: file(name)) }

  /// Removes the folder, unless somebody named it, or something is missing: then it says how to continue from it.
  package func leave(isNamed: Bool, isComplete: Bool) {
    if !isComplete {
      let sentence: Sentence =
        "the results so far are in '\(path)'; to continue from them, add \(setting: .results) \(path)"
      HumanText.write(sentence.withOptions + "\n")
    } else if !isNamed {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  private func file(_ name: String) -> String { "\(path)/\(name)\(ending)" }

  /// A hash of the words and of the program that processes them.
  package static func inputs(_ words: [String]) -> String {
    SHA256.hash(Array((CamrecProgram.identity + words).joined(separator: "\n").utf8))
  }
}
