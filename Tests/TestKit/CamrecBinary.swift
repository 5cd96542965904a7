public import Foundation

/// The camrec program, for tests that start it as a person would.
public struct CamrecBinary: Sendable {
  public let url: URL

  public init(url: URL) {
    self.url = url
  }

  /// The program that `CAMREC_BINARY` names, else the one built together with the running tests, else
  /// `.build/release/camrec` below the package's root.
  public static func find() throws -> CamrecBinary {
    if let path = ProcessInfo.processInfo.environment["CAMREC_BINARY"], !path.isEmpty {
      return try checked([URL(fileURLWithPath: path)])
    }
    let besideTests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("camrec")
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try checked([besideTests, root.appendingPathComponent(".build/release/camrec")])
  }

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - directory: where it starts; the tests' own when `nil`.
  ///   - environment: added to the tests' own environment.
  ///   - timeout: after that many seconds it is killed, and `Outcome.timedOut` says so.
  public func run(
    _ arguments: [String], in directory: URL? = nil, environment: [String: String] = [:], timeout: Double = 60
  ) throws -> Outcome {
    try start(arguments, in: directory, environment: environment).wait(timeout: timeout)
  }

  /// Starts the program and leaves it running: to interrupt or kill it, `wait` is due in any case.
  ///
  /// - Parameter input: its standard input; empty when `nil`.
  public func start(
    _ arguments: [String], in directory: URL? = nil, environment: [String: String] = [:], input: Pipe? = nil
  ) throws -> RunningCamrec {
    try RunningCamrec(url, arguments: arguments, directory: directory, environment: environment, input: input)
  }

  /// How a run ended.
  public struct Outcome: Sendable {
    /// The exit code; the signal's number where a signal ended it.
    public let exitCode: Int32
    public let endedBySignal: Bool
    public let timedOut: Bool
    public let standardOutput: String
    public let standardError: String

    /// A recording in real time has ended as it was told to: with status 0, or 3 where the account of a film says that
    /// the machine was too busy for some frames.
    public var hasEndedWell: Bool {
      let accounts = standardError.split(separator: "\n").filter { $0.contains("frames: expected ") }
      return !endedBySignal && !accounts.isEmpty
        && exitCode == (accounts.allSatisfy { $0.contains(", lost 0") } ? 0 : 3)
    }
  }

  /// Why there is nothing to start.
  public struct Missing: Error, CustomStringConvertible {
    public let description: String
  }

  private static func checked(_ candidates: [URL]) throws -> CamrecBinary {
    guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
      let places = candidates.map(\.path).joined(separator: ", ")
      throw Missing(description: "no camrec at \(places); build it (swift build -c release) or set CAMREC_BINARY")
    }
    return CamrecBinary(url: found)
  }
}
