import Foundation
public import Frames
import Recorder

/// Where a recorder says once a second how it goes.
public struct StateFile: Sendable {
  public static let suffix = ".state.json"

  /// A state is a few kilobytes.
  private static let mostBytes = 1 << 20

  public var path: String { file.path }
  private let file: AtomicFile

  // Not synchronized: after a loss of power nobody asks how a recorder went that runs no more, and the disk is the
  // film's.
  public init(path: String) {
    file = AtomicFile(path: path, mark: .init(name: "state file", text: "\"format\":\"\(StateRecord.format)\""))
  }

  /// - Throws: code `output`.
  public func write(_ record: StateRecord) throws(CamrecError) {
    try file.replace(with: ControlProtocol.line(record))
  }

  public func remove() { file.remove() }

  /// - Throws: code `device` where there is none, code `input` for what is no state file.
  public static func read(path: String) throws(CamrecError) -> StateRecord {
    let data: [UInt8]
    do {
      data = try InputFile.read(path: path, limit: mostBytes)
    } catch InputFile.Refusal.notOpened(ENOENT) {
      throw CamrecError(
        .device, "there is no state file '\(path)'; a recorder has one where 'camrec record --state' says")
    } catch {
      throw CamrecError(.input, "'\(path)' cannot be read", cause: InputFile.words(for: error) ?? "\(error)")
    }
    do {
      let record = try ControlProtocol.read(StateRecord.self, from: String(decoding: data, as: UTF8.self))
      if record.format == StateRecord.format, record.version == StateRecord.version { return record }
    } catch {}
    throw CamrecError(
      .input, "'\(path)' is no state file of a recorder, or of another version of camrec than this one")
  }
}
