/// A line and a column of a file, both from 1.
public struct FilePlace: Hashable, Sendable, Comparable {
  public var line: Int
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  public static func < (a: FilePlace, b: FilePlace) -> Bool { (a.line, a.column) < (b.line, b.column) }
}

/// A finding in a rig file or a suite: where, about what, and what is allowed instead.
public struct FileFinding: Hashable, Sendable {
  public enum Severity: String, Hashable, Sendable, Codable {
    /// Only editing the file fixes it: a rig does not start.
    case error
    /// Something that the file names is missing, or cannot be used at the moment. That may pass by itself.
    case fault
    case warning
    /// Worth knowing, but not a fault.
    case note
  }

  public var severity: Severity
  /// `nil` for the file as a whole.
  public var place: FilePlace?
  /// Where in the file's own terms: `cameras.front.fps`.
  public var key: String?
  /// One sentence, without place and key.
  public var message: String

  public init(_ severity: Severity = .error, _ place: FilePlace?, key: String? = nil, _ message: String) {
    self.severity = severity
    self.place = place
    self.key = key
    self.message = message
  }

  /// As compilers write it, so that editors find the place: `rig.yaml:7:10: error: cameras.front.fps: …`.
  public func line(file: String) -> String {
    let start = place.map { "\(file):\($0.line):\($0.column)" } ?? file
    // Editors know no other words than a compiler's.
    let word = severity == .fault ? Severity.warning : severity
    return "\(start): \(word.rawValue): \(key.map { "\($0): " } ?? "")\(message)"
  }
}
