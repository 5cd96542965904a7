import ControlCodec
import Frames
import Platform
import RecorderAPI

/// Asks a feed for what the window wants at the time, and tells of which part each picture is.
///
/// Each wish is a subscription of its own: its number says which part of the frame a picture shows. The one before goes
/// on until the new one's first picture is there, so that the window is never without.
struct PictureStream {
  enum Event {
    case picture(MonitorMessage, PicturePart)
    case measures(MeasuresPayload, FrameExtent)
    /// Nothing comes for now, for this reason.
    case waiting(String)
  }

  private let feed: any PictureFeed
  /// Subscriptions to pictures whose messages may still come: the latest last.
  private var pictures: [(number: UInt32, wish: PictureWish)] = []
  /// A wish that the recorder has refused or ended, and when to try again.
  private var refused: (wish: PictureWish, end: MonotonicTime)?
  private var given = PictureStream.measures
  private var measured: PictureWish?

  /// The subscription to measures.
  private static let measures: UInt32 = 1
  /// Nanoseconds until a refused wish is tried again.
  private static let pause: Int64 = 1_000_000_000

  init(_ feed: any PictureFeed) { self.feed = feed }

  /// Asks for what is wanted now.
  ///
  /// - Parameter wish: `nil` for nothing.
  /// - Throws: the recorder's refusal.
  mutating func want(_ wish: PictureWish?, at now: MonotonicTime) throws(CamrecError) {
    try wantMeasures(wish)
    guard let wish else {
      for old in pictures { try? feed.end(old.number) }
      (pictures, refused) = ([], nil)
      return
    }
    // One change at a time: the next one when this one's first picture is there.
    guard pictures.count < 2 else { return }
    if let refused, wish.hasSamePictures(as: refused.wish), now < refused.end { return }
    if let last = pictures.last, last.wish.hasSamePictures(as: wish) { return }
    given += 1
    do throws(CamrecError) {
      try feed.subscribe(given, to: try wish.request)
      refused = nil
      pictures.append((given, wish))
    } catch {
      refused = (wish, now.advanced(by: PictureStream.pause))
      throw error
    }
  }

  private mutating func wantMeasures(_ wish: PictureWish?) throws(CamrecError) {
    guard let wish, wish.wantsMeasures else {
      if measured != nil { try? feed.end(PictureStream.measures) }
      measured = nil
      return
    }
    if let measured, measured.isGraded == wish.isGraded { return }
    try feed.subscribe(PictureStream.measures, to: try wish.measuresRequest)
    measured = wish
  }

  /// - Returns: `nil` if nothing of interest has come in that time.
  /// - Throws: code `device` if the recorder goes away; why it has ended the connection.
  mutating func next(within seconds: Double) throws(CamrecError) -> Event? {
    guard let message = try feed.next(within: seconds) else { return nil }
    switch message.header.kind {
    case .picture:
      guard let place = pictures.firstIndex(where: { $0.number == message.header.subscription }) else {
        feed.used(message)
        return nil
      }
      for old in pictures[..<place] { try? feed.end(old.number) }
      pictures.removeFirst(place)
      return .picture(message, pictures[0].wish.part)
    case .measures:
      feed.used(message)
      let extent = FrameExtent(width: Int(message.header.width), height: Int(message.header.height))
      return MeasuresPayload(bytes: message.payload).map { .measures($0, extent) }
    case .text: return try notice(MonitorText(payload: message.payload))
    default: return nil
    }
  }

  private mutating func notice(_ text: MonitorText) throws(CamrecError) -> Event? {
    let error = text.error?.recorderError.message
    switch text.event.flatMap(MonitorText.Event.init(rawValue:)) {
    case .ended:
      for ended in pictures where ended.number == text.subscription {
        refused = (ended.wish, MonotonicTime.now().advanced(by: PictureStream.pause))
      }
      pictures.removeAll { $0.number == text.subscription }
      if text.subscription == PictureStream.measures { measured = nil }
      return error.map(Event.waiting)
    case .waiting: return text.subscription == PictureStream.measures ? nil : error.map(Event.waiting)
    case nil: return nil
    }
  }
}
