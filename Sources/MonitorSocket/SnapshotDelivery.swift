import ControlCodec
import Frames
import Monitor
import RecorderAPI

/// A snapshot that a subscriber has asked for: the answer, then the image file in pieces.
///
/// Thread: the server's.
final class SnapshotDelivery {
  enum Part {
    case text(MonitorText)
    case piece(MonitorHeader, ArraySlice<UInt8>)
  }

  let number: UInt32
  private let id: JSONValue?
  private let job: SnapshotJob
  private var snapshot: Snapshot?
  /// Bytes and pieces sent.
  private var place = 0, sequence: UInt64 = 0
  /// Everything was taken.
  private(set) var isOver = false

  init(_ number: UInt32, id: JSONValue?, _ job: SnapshotJob) {
    self.number = number
    self.id = id
    self.job = job
  }

  /// Nobody waits for it any more.
  func cancel() { job.end() }

  /// What is to be sent next; `nil` while the snapshot is being made.
  func next() -> Part? {
    guard let snapshot else { return answer() }
    let end = min(place + MonitorProtocol.pieceLimit, snapshot.file.count)
    sequence += 1
    var header = snapshot.header
    (header.subscription, header.sequence, header.payloadLength) = (number, sequence, UInt64(end - place))
    if end == snapshot.file.count {
      header.flags.insert(.lastPiece)
      finish()
    }
    defer { place = end }
    return .piece(header, snapshot.file[place..<end])
  }

  private func answer() -> Part? {
    switch job.result {
    case nil: return nil
    case .failure(let error)?:
      finish()
      return .text(.refusal(error, number, id: id))
    case .success(let made)?:
      snapshot = made
      let size = (width: Int(made.header.width), height: Int(made.header.height))
      return .text(.answer(number, id: id, size: size, bytes: made.file.count))
    }
  }

  private func finish() {
    isOver = true
    job.end()
  }
}
