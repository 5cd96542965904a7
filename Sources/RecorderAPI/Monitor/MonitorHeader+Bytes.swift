import Frames

extension MonitorHeader {
  /// As it is sent.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(MonitorHeader.length)
    bytes.append(littleEndian: UInt16(MonitorHeader.length))
    bytes.append(version)
    bytes.append(kind.rawValue)
    bytes.append(littleEndian: subscription)
    bytes.append(littleEndian: sequence)
    bytes.append(littleEndian: frameNumber)
    for time in [captureTime, tapTime, sendTime] { bytes.append(littleEndian: time?.nanoseconds ?? 0) }
    bytes.append(littleEndian: exposureNanoseconds)
    bytes.append(littleEndian: iso.bitPattern)
    bytes += [colors.matrix, colors.range, colors.transfer, colors.primaries]
    bytes.append(littleEndian: capabilities.rawValue)
    bytes.append(littleEndian: flags.rawValue)
    bytes.append(littleEndian: width)
    bytes.append(littleEndian: height)
    bytes.append(littleEndian: UInt32(0))
    bytes.append(littleEndian: payloadLength)
    return bytes
  }

  /// Reads the first 88 bytes; whatever a later version has behind them is not looked at.
  ///
  /// - Returns: `nil` if there are fewer, or if the length that they begin with is smaller.
  public init?(bytes: some Collection<UInt8>) {
    var reading = LittleEndianReading(bytes)
    guard bytes.count >= MonitorHeader.length, reading.next(UInt16.self) >= UInt16(MonitorHeader.length) else {
      return nil
    }
    let version = reading.next(UInt8.self)
    self.init(
      MonitorKind(rawValue: reading.next(UInt8.self)), subscription: reading.next(UInt32.self),
      sequence: reading.next(UInt64.self))
    self.version = version
    frameNumber = reading.next(Int64.self)
    captureTime = MonitorHeader.time(reading.next(Int64.self))
    tapTime = MonitorHeader.time(reading.next(Int64.self))
    sendTime = MonitorHeader.time(reading.next(Int64.self))
    exposureNanoseconds = reading.next(Int64.self)
    iso = Float(bitPattern: reading.next(UInt32.self))
    colors = MonitorColors(
      matrix: reading.next(UInt8.self), range: reading.next(UInt8.self), transfer: reading.next(UInt8.self),
      primaries: reading.next(UInt8.self))
    capabilities = MonitorCapabilities(rawValue: reading.next(UInt32.self))
    flags = MonitorFlags(rawValue: reading.next(UInt32.self))
    width = reading.next(UInt16.self)
    height = reading.next(UInt16.self)
    _ = reading.next(UInt32.self)
    payloadLength = reading.next(UInt64.self)
  }

  private static func time(_ nanoseconds: Int64) -> MonotonicTime? {
    nanoseconds == 0 ? nil : MonotonicTime(nanoseconds: nanoseconds)
  }
}
