public import Foundation

/// A program of the system (`ffmpeg`, `ffprobe`) that a test runs and listens to.
public enum Tool {
  public struct Failure: Error, CustomStringConvertible {
    public let command: [String]
    public let status: Int32
    public let errorText: String
    public var description: String { "\(command.joined(separator: " ")) ended with \(status): \(errorText)" }
  }

  /// Runs `command` to its end and returns what it wrote; throws `Failure` for a status other than 0.
  ///
  /// - Parameters:
  ///   - input: bytes for its standard input; none means an empty one.
  ///   - accept: also a status other than 0 (a killed recording decodes up to its torn end).
  @discardableResult
  public static func run(_ command: [String], input: Data? = nil, acceptsFailure accept: Bool = false) throws -> Data {
    var output = Data()
    try run(command, input: input, acceptsFailure: accept) { output.append($0) }
    return output
  }

  /// Runs `command` and hands over what it writes, piece by piece.
  public static func run(
    _ command: [String], input: Data? = nil, acceptsFailure accept: Bool = false, output: (Data) throws -> Void
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    let outputPipe = Pipe()
    process.standardOutput = outputPipe
    let errorFile = FileManager.default.temporaryDirectory.appendingPathComponent("tool-\(UUID().uuidString).log")
    try Data().write(to: errorFile)
    defer { try? FileManager.default.removeItem(at: errorFile) }
    process.standardError = try FileHandle(forWritingTo: errorFile)
    let inputPipe = input.map { _ in Pipe() }
    process.standardInput = inputPipe ?? FileHandle.nullDevice
    try process.run()
    if let input, let inputPipe {
      let handle = inputPipe.fileHandleForWriting
      Thread.detachNewThread {
        try? handle.write(contentsOf: input)
        try? handle.close()
      }
    }
    do {
      while let piece = try outputPipe.fileHandleForReading.read(upToCount: 1 << 20), !piece.isEmpty {
        try output(piece)
      }
    } catch {
      process.terminate()
      throw error
    }
    process.waitUntilExit()
    guard accept || process.terminationStatus == 0 else {
      let text = String(decoding: (try? Data(contentsOf: errorFile)) ?? Data(), as: UTF8.self)
      throw Failure(command: command, status: process.terminationStatus, errorText: text)
    }
  }
}
