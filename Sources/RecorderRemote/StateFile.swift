import ControlCodec
import Foundation
public import Frames
import Platform
public import RecorderAPI

/// The file to which a recorder writes its state once a second.
public struct StateFile: Sendable {
  public static let suffix = ".state.json"

  /// A state is a few kilobytes.
  private static let mostBytes = 1 << 20

  public var path: String { file.path }
  private let file: AtomicFile

  // Not synchronized: after a power cut nobody needs the state of a recorder that no longer runs, and the disk is
  // needed for the film.
  public init(path: String) {
    file = AtomicFile(path: path, mark: .init(name: "state file", text: "\"format\":\"\(StateRecord.format)\""))
  }

  /// Checks that a state may be written there, without writing it.
  ///
  /// - Throws: code `output`.
  public func check() throws(CamrecError) { try file.check() }

  /// - Throws: code `output`.
  public func write(_ record: StateRecord) throws(CamrecError) {
    try file.replace(with: ControlProtocol.line(record))
  }

  public func remove() { file.remove() }

  /// - Throws: code `device` if there is no such file, code `input` if it is not a state file.
  public static func read(path: String) throws(CamrecError) -> StateRecord {
    let data: [UInt8]
    do {
      data = try InputFile.read(path: path, limit: mostBytes)
    } catch InputFile.Refusal.notOpened(ENOENT) {
      throw CamrecError(
        .device, "there is no state file '\(path)'; use the path that you gave to 'camrec record --state'")
    } catch {
      throw CamrecError(.input, "cannot read '\(path)'", cause: InputFile.words(for: error) ?? "\(error)")
    }
    do {
      let record = try ControlProtocol.read(StateRecord.self, from: String(decoding: data, as: UTF8.self))
      if record.format == StateRecord.format, record.version == StateRecord.version { return record }
    } catch {}
    throw CamrecError(
      .input, "'\(path)' is not the state file of a recorder, or comes from another version of camrec")
  }
}
