import CameraTestKit
import Foundation
import Frames
import Recorder
import Sidecar
import Synchronization
import Testing

/// The wall clock says where `clock:` files begin, and nothing else: frames, sound and durations do not know it.
struct WallClockTests {
  /// Seconds since midnight of a clock that was set while the film ran, by the film's seconds.
  private static func timeOfDay(_ jumps: [(at: Double, by: Double)]) -> @Sendable (MonotonicTime) -> Double {
    { time in
      let seconds = Double(time - ScriptedCamera.origin) * 1e-9
      let off = jumps.filter { $0.at <= seconds + 1e-6 }.map(\.by).reduce(0, +)
      let day = (36_000 + seconds + off).truncatingRemainder(dividingBy: 86_400)
      return day < 0 ? day + 86_400 : day
    }
  }

  @Test(arguments: [
    [], [(at: 8.0, by: 3603.5)], [(at: 8.0, by: -7200.25)], [(at: 4.0, by: 3600), (at: 11.0, by: -3600)],
    [(at: 7.9, by: 0.2), (at: 12.05, by: -0.2)], [(at: 2.0, by: 86_400), (at: 11.0, by: -43_201)],
  ])
  func framesSoundAndDurations_doNotKnowOfIt(jumps: [(at: Double, by: Double)]) throws {
    let count = 24 * 16
    let outcome = try SegmentSessionTests.record(
      [.frames(count)], every: .clock(seconds: 4), microphone: CountingMicrophone(isPulled: true, total: 48_000 * 16),
      timeOfDay: Self.timeOfDay(jumps))
    #expect(outcome.places(ticksPerFrame: 1000) == (0..<Int64(count)).map { $0 })
    #expect(outcome.samples == (0..<48_000 * 16).map { Int16(truncatingIfNeeded: $0) })
    let lengths = outcome.files.compactMap { $0.endTicks }.map { Double($0) / 24_000 }
    #expect(outcome.files.compactMap(\.endTicks).reduce(0, +) == 24_000 * 16)
    // A twentieth of the step is the least that a file lasts, the last one aside, and a step and a twentieth the most.
    #expect(lengths.dropLast().allSatisfy { (0.2...4.25).contains($0) }, "\(lengths)")
    let clock = Self.timeOfDay(jumps)
    for file in outcome.files.dropFirst() {
      let start = try #require(file.start).seconds.doubleValue
      // Where no jump came in between, the clock is full; else the file ends where it would have been.
      guard !jumps.contains(where: { $0.at > start - 4.25 && $0.at <= start }) else { continue }
      let now = clock(ScriptedCamera.origin.advanced(by: Int64((start * 1e9).rounded()))).truncatingRemainder(
        dividingBy: 4)
      #expect(min(now, 4 - now) < 1.0 / 24 + 1e-6, "a file begins \(now) s behind the full clock, at \(start) s")
    }
  }

  /// Files of a length count from the first frame: no clock is asked.
  @Test func lengths_doNotKnowOfIt() throws {
    let outcome = try SegmentSessionTests.record(
      [.frames(24 * 30)], every: .seconds(Rational(10)),
      timeOfDay: Self.timeOfDay([(at: 3, by: -90_000), (at: 14, by: 5000)]))
    #expect(outcome.files.map(\.ticks.count) == [240, 240, 240])
  }
}
