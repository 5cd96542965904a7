/// How bright the scene is: what a frame reads, less what it was exposed with.
///
/// Since each reading is taken together with the setting that its frame shows, settings that are still on their way
/// cannot be mistaken for light, however long a device takes.
struct SceneEstimate: Hashable, Sendable {
  /// Small differences are averaged over 1/8 s: three frames at 24 fps. It halves and halves again the noise of
  /// readings, and costs a slow ramp no more than an eighth of what it moves in a second.
  static let smoothing: Int64 = 125_000_000
  /// A difference that no noise makes: it is believed at once when the next frame bears it out, and a photographer's
  /// flash, a single frame long, leaves no trace.
  static let jump = Stops(units: 307)
  /// From half the picture on the average itself lies where nothing is told apart any more.
  static let heavilyClipped = MeterReading.whole / 2
  /// Up to this share the shape of the histogram is the scene's.
  static let slightlyClipped = MeterReading.whole / 8

  /// 1/1024 of a unit of `Stops`, so that slow averages do not stick.
  private var fine: Int?
  /// The sign of a jump that is not borne out yet.
  private var jumped = 0
  private var wasClipped = false
  /// Of the last frame that showed it.
  private var spread = Stops.zero

  /// EV relative to what gives grey at 1 s and the lowest gain; `nil` before the first frame.
  var level: Stops? { fine.map { Stops(units: ($0 + 512) >> 10) } }

  /// - Parameters:
  ///   - exposure: of the setting that the frame shows.
  ///   - elapsed: nanoseconds since the last frame.
  mutating func take(_ reading: MeterReading, exposure: Stops, elapsed: Int64) {
    if reading.clipped < Self.slightlyClipped { spread = reading.spread }
    let isClipped = reading.clipped >= Self.heavilyClipped
    let now = (reading.level - exposure + beyond(reading)).units << 10
    defer { wasClipped = isClipped }
    guard let fine else {
      self.fine = now
      return
    }
    let difference = now - fine
    if abs(difference) > Self.jump.units << 10 {
      // What was clipped says "more" with each step, and how much once it is no longer: it need not say so twice.
      let isBorneOut = jumped == difference.signum() || wasClipped
      if isBorneOut { self.fine = now }
      jumped = isBorneOut ? 0 : difference.signum()
    } else {
      jumped = 0
      let elapsed = min(elapsed, 1_000_000_000)
      self.fine = fine + difference * Int(elapsed) / Int(elapsed + Self.smoothing)
    }
  }

  /// How much brighter than its reading a heavily clipped picture is at least.
  ///
  /// Of a normal distribution with the share c clipped, the mean lies z(c) standard deviations beyond the clipping
  /// point. 5/4 · (2c − 1), and 3/4 · (10c − 9) more above 0.9, is below z(c) from 0.5 to 1. The deviation is the
  /// one last seen; a scene without any gets nothing added, so that it is never passed.
  private func beyond(_ reading: MeterReading) -> Stops {
    let whole = MeterReading.whole
    guard reading.clipped > Self.heavilyClipped else { return .zero }
    let deviations = 5 * (2 * reading.clipped - whole) + 3 * max(0, 10 * reading.clipped - 9 * whole)
    return Stops(units: spread.units * deviations / (4 * whole))
  }
}
