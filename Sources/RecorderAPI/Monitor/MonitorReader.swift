public import Frames

/// Makes messages of bytes as they come, whatever pieces they come in.
///
/// It passes over kinds that it does not know, and over what a later version has behind the header. It holds one
/// payload, as far as that has come, and the bytes of the last `append`.
public struct MonitorReader: Sendable {
  private let payloadLimit: Int
  /// Bytes that have come, from `place` on.
  private var bytes: [UInt8] = []
  private var place = 0
  /// The header of the message that is coming, and what has come of its payload.
  private var header: MonitorHeader?
  private var payload: [UInt8] = []
  /// How many bytes to pass over.
  private var passing: UInt64 = 0
  private var failure: CamrecError?

  /// - Parameter payloadLimit: the largest payload to hold, in bytes.
  public init(payloadLimit: Int = MonitorProtocol.payloadLimit) { self.payloadLimit = payloadLimit }

  public mutating func append(_ more: some Collection<UInt8>) {
    bytes.removeFirst(place)
    place = 0
    bytes.append(contentsOf: more)
  }

  /// The next whole message; `nil` if more bytes have to come.
  ///
  /// - Throws: code `device` if these are no messages, if they are of another version of the protocol, or if one is
  ///   larger than the limit; from then on always.
  public mutating func next() throws(CamrecError) -> MonitorMessage? {
    if let failure { throw failure }
    while true {
      guard passOver() else { return nil }
      if let header {
        let missing = Int(header.payloadLength) - payload.count
        let end = min(bytes.count, place + missing)
        payload.append(contentsOf: bytes[place..<end])
        place = end
        guard payload.count == Int(header.payloadLength) else { return nil }
        defer { (self.header, payload) = (nil, []) }
        return MonitorMessage(header, payload: payload)
      }
      guard bytes.count - place >= MonitorHeader.length else { return nil }
      try begin()
    }
  }

  /// - Returns: whether that is done.
  private mutating func passOver() -> Bool {
    let step = Int(min(passing, UInt64(bytes.count - place)))
    passing -= UInt64(step)
    place += step
    return passing == 0
  }

  private mutating func begin() throws(CamrecError) {
    let start = bytes[place..<place + MonitorHeader.length]
    guard let header = MonitorHeader(bytes: start) else {
      throw fail("what came from the recorder's monitor is no message; reconnect")
    }
    guard header.version == MonitorProtocol.version else {
      throw fail(
        "the recorder's monitor speaks version \(header.version) of the protocol, but this program speaks version "
          + "\(MonitorProtocol.version); use the camrec that the recorder was started with")
    }
    var reading = LittleEndianReading(start)
    let length = UInt64(reading.next(UInt16.self))
    place += MonitorHeader.length
    passing = length - UInt64(MonitorHeader.length)
    guard header.kind.isKnown else {
      let (sum, isTooMuch) = passing.addingReportingOverflow(header.payloadLength)
      passing = isTooMuch ? .max : sum
      return
    }
    guard header.payloadLength <= UInt64(payloadLimit) else {
      throw fail(
        "a message of the recorder's monitor has \(header.payloadLength) bytes, more than \(payloadLimit); ask for a "
          + "smaller picture")
    }
    self.header = header
    payload.reserveCapacity(min(Int(header.payloadLength), MonitorReader.firstRoom))
  }

  /// A header that lies gets no more memory than this before its bytes come.
  private static let firstRoom = 1 << 20

  private mutating func fail(_ sentence: String) -> CamrecError {
    let error = CamrecError(.device, sentence)
    failure = error
    return error
  }
}
