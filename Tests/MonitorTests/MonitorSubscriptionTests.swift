import Frames
import Monitor
import RecorderAPI
import Testing

/// What waits for a subscriber: the latest, at its rate, and no more than it keeps up with.
struct MonitorSubscriptionTests {
  private static let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

  private static func time(_ milliseconds: Double) -> MonotonicTime {
    start.advanced(by: Int64(milliseconds * 1e6))
  }

  private static func product(_ frame: Int64) -> MonitorProduct {
    var header = MonitorHeader(.picture, sequence: 0)
    header.frameNumber = frame
    return MonitorProduct(header, payload: [1, 2, 3])
  }

  private static func frame(_ taken: (waiting: MonitorSubscription.Waiting, sequence: UInt64)?) -> Int64? {
    if case .product(let product)? = taken?.waiting { product.header.frameNumber } else { nil }
  }

  @Test func latestWins_andIsNumberedWhenItIsTaken() throws {
    let subscription = MonitorSubscription(.pictures(try PictureRequest(rate: 240)))
    for frame in 0..<3 { subscription.offer(Self.product(Int64(frame)), Self.time(Double(frame) * 20)) }
    let taken = subscription.take()
    #expect(Self.frame(taken) == 2 && taken?.sequence == 1)
    #expect(subscription.take() == nil)
    #expect(subscription.underWay == 1)
  }

  @Test func twoAreUnderWay_untilOneIsUsed() throws {
    let subscription = MonitorSubscription(.pictures(try PictureRequest(rate: 240)))
    for frame in 0..<2 {
      #expect(subscription.wants(Self.time(Double(frame) * 20)))
      subscription.offer(Self.product(Int64(frame)), Self.time(Double(frame) * 20))
      #expect(subscription.take()?.sequence == UInt64(frame + 1))
    }
    #expect(!subscription.wants(Self.time(100)), "nothing is made for whoever does not keep up")
    subscription.use(upTo: 1)
    #expect(subscription.wants(Self.time(100)) && subscription.underWay == 1)
    subscription.use(upTo: 1000)
    #expect(subscription.underWay == 0, "more than was sent cannot be used")
  }

  /// Of 50 frames a second, one that wants 10 gets each fifth; a camera that jitters changes nothing.
  @Test(arguments: [0.0, 3.0]) func rate_isKept(jitter: Double) throws {
    let subscription = MonitorSubscription(.pictures(try PictureRequest(rate: 10)))
    var frames: [Int] = []
    for frame in 0..<100 {
      let time = Self.time(Double(frame) * 20 + (frame % 2 == 0 ? jitter : -jitter))
      guard subscription.wants(time) else { continue }
      frames.append(frame)
      subscription.offer(Self.product(Int64(frame)), time)
      subscription.use(upTo: subscription.take()?.sequence ?? 0)
    }
    #expect(frames.count == 20)
    #expect(zip(frames, frames.dropFirst()).allSatisfy { (4...6).contains($1 - $0) })
  }

  @Test func pause_isNotCaughtUp() throws {
    let subscription = MonitorSubscription(.pictures(try PictureRequest(rate: 10)))
    subscription.offer(Self.product(0), Self.time(0))
    subscription.offer(Self.product(1), Self.time(10_000))
    #expect(!subscription.wants(Self.time(10_020)))
    #expect(subscription.wants(Self.time(10_100)))
  }

  @Test func reasonWhyNothingComes_isToldOnce_untilSomethingCame() throws {
    let subscription = MonitorSubscription(.measures(try MeasuresRequest()))
    let gone = CamrecError(.device, "the camera is gone")
    #expect(subscription.offer(nothing: gone) && !subscription.offer(nothing: gone))
    guard case .nothing(let error)? = subscription.take()?.waiting else { Issue.record("no reason"); return }
    #expect(error == gone && subscription.underWay == 0)
    subscription.offer(Self.product(1), Self.time(0))
    #expect(subscription.offer(nothing: gone))
  }

  @Test func oneThatReplacesAnother_goesOnWithItsNumbers() throws {
    let old = MonitorSubscription(.pictures(try PictureRequest())), new = MonitorSubscription(old.wish)
    old.offer(Self.product(0), Self.time(0))
    _ = old.take()
    new.follow(old)
    new.offer(Self.product(1), Self.time(0))
    #expect(new.take()?.sequence == 2 && new.underWay == 2)
  }
}
