public import Frames

/// What stands before every payload that a recorder sends over its monitor socket: 88 bytes, little-endian.
public struct MonitorHeader: Hashable, Sendable {
  /// Its length in this version.
  public static let length = 88

  public var version = MonitorProtocol.version
  public var kind: MonitorKind
  /// The number that the subscriber has given; 0: the connection itself.
  public var subscription: UInt32
  /// The message's number in its subscription, from 1.
  public var sequence: UInt64
  /// The camera's count of frames; -1 if the message is about none.
  public var frameNumber: Int64 = -1
  /// When the frame's exposure began.
  public var captureTime: MonotonicTime?
  /// When the frame came to whoever makes pictures.
  public var tapTime: MonotonicTime?
  /// Just before the first byte was sent.
  public var sendTime: MonotonicTime?
  /// In nanoseconds; 0 if it is not known.
  public var exposureNanoseconds: Int64 = 0
  /// 0 if it is not known.
  public var iso: Float = 0
  /// Of the codes in the payload.
  public var colors = MonitorColors.unspecified
  public var capabilities = MonitorCapabilities.all
  public var flags: MonitorFlags = []
  /// Of the picture in pixels; of the frame, for measures.
  public var width: UInt16 = 0, height: UInt16 = 0
  /// In bytes.
  public var payloadLength: UInt64

  public init(_ kind: MonitorKind, subscription: UInt32 = 0, sequence: UInt64, payloadLength: Int = 0) {
    self.kind = kind
    self.subscription = subscription
    self.sequence = sequence
    self.payloadLength = UInt64(max(0, payloadLength))
  }

  /// In seconds; `nil` if it is not known.
  public var exposureTime: Double? {
    get { exposureNanoseconds > 0 ? Double(exposureNanoseconds) * 1e-9 : nil }
    set { exposureNanoseconds = newValue.flatMap { Int64(exactly: ($0 * 1e9).rounded()) } ?? 0 }
  }
}
