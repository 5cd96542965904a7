/// What a recorder's monitor can do, in the header of every message.
public struct MonitorCapabilities: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let pictures = MonitorCapabilities(rawValue: 1 << 0)
  public static let measures = MonitorCapabilities(rawValue: 1 << 1)
  public static let snapshots = MonitorCapabilities(rawValue: 1 << 2)
  /// `pictures` takes `crop`.
  public static let crop = MonitorCapabilities(rawValue: 1 << 3)

  /// All that this version knows.
  public static let all: MonitorCapabilities = [.pictures, .measures, .snapshots, .crop]
}

/// What holds for the frame that a message is about.
public struct MonitorFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// As the film has it: with LUT or look. Not set where there is neither.
  public static let graded = MonitorFlags(rawValue: 1 << 0)
  /// A film is being recorded.
  public static let recording = MonitorFlags(rawValue: 1 << 1)
  /// No film is being recorded, and pre-roll is kept.
  public static let preRoll = MonitorFlags(rawValue: 1 << 2)
  /// The exposure is as it is to be; also where nothing controls it.
  public static let exposureSettled = MonitorFlags(rawValue: 1 << 3)
  /// No more pieces of this snapshot follow.
  public static let lastPiece = MonitorFlags(rawValue: 1 << 4)
}
