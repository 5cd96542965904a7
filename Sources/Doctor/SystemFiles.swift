import Foundation

/// Reads the kernel's and the system's files about the machine. Tests set other roots.
public struct SystemFiles: Sendable {
  /// `/sys`
  public var sys: String
  /// `/proc`
  public var proc: String
  /// `/run`
  public var run: String

  public init(sys: String = "/sys", proc: String = "/proc", run: String = "/run") {
    self.sys = sys
    self.proc = proc
    self.run = run
  }

  /// The file's text without white space around it; `nil` if it cannot be read.
  func text(_ path: String) -> String? {
    (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func number(_ path: String) -> Double? { text(path).flatMap(Double.init) }

  /// Sorted; empty if the folder cannot be read.
  func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
