import Foundation

/// What tells a recorder of a folder from others of its name: the content of its file there, `.camrec-recorder-ID`.
public struct RecorderIdentity: Hashable, Sendable, Codable {
  /// A UUID; a recorder that is started again keeps it.
  public var id: String
  /// `--name`.
  public var name: String
  /// What names its films: the last part of `--output`, as given.
  public var pattern: String
  /// Where it runs (`/etc/machine-id`); empty if unknown.
  public var machine: String
  /// A rig or a service manager starts it again when it has ended.
  public var isRestarted: Bool
  /// It runs a hook for its films.
  public var hasHook: Bool
  /// When it took this identity.
  public var started: Moment

  public init(
    id: String, name: String, pattern: String, machine: String = "", isRestarted: Bool = false, hasHook: Bool = false,
    started: Moment
  ) {
    self.id = id
    self.name = name
    self.pattern = pattern
    self.machine = machine
    self.isRestarted = isRestarted
    self.hasHook = hasHook
    self.started = started
  }

  static func newID() -> String { UUID().uuidString }

  /// Whether a recorder with this identity continues where the other one has ended.
  func succeeds(_ other: RecorderIdentity) -> Bool {
    name == other.name && pattern == other.pattern && machine == other.machine
  }
}
