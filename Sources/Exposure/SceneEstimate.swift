/// The brightness of the scene: a frame's reading minus its exposure.
///
/// Each reading is combined with the setting that its frame shows, so that settings still on their way are not mistaken
/// for light, however slow a device is.
struct SceneEstimate: Hashable, Sendable {
  /// Small differences are averaged over 1/8 s: three frames at 24 fps. This reduces the noise of readings to less than
  /// half, and delays a slow ramp by at most an eighth of its movement in a second.
  static let smoothing: Int64 = 125_000_000
  /// A difference too large for noise: it is accepted at once when the next frame confirms it. A photographer's flash,
  /// which lasts a single frame, leaves no trace.
  static let jump = Stops(units: 307)
  /// If half the frame or more is clipped, the average itself is in the clipped range.
  static let heavilyClipped = MeterReading.whole / 2
  /// Up to this share, the shape of the histogram is that of the scene.
  static let slightlyClipped = MeterReading.whole / 8

  /// 1/1024 of a unit of `Stops`, so that slow averages do not stick.
  private var fine: Int?
  /// The part of it that no frame shows, averaged like it.
  private var fineBeyond = 0
  /// What dark noise may take from it, averaged like it.
  private var fineHidden = 0
  /// The sign of a jump that is not yet confirmed.
  private var jumped = 0
  /// Of the last frame: half or more of it is clipped.
  private var isClipped = false
  /// Of the last frame: so much of it is clipped, or at the meter's darkest level, that its average says too little.
  private(set) var hidesBright = false
  private(set) var hidesDark = false
  /// The spread of the last frame that showed it.
  private var spread = Stops.zero

  /// EV relative to the light that gives grey at 1 s and the lowest gain; `nil` before the first frame.
  var level: Stops? { fine.map { Stops(units: ($0 + 512) >> 10) } }

  /// The part of `level` that is extrapolated from heavily clipped frames: no frame shows it. At least 0.
  var unseen: Stops { Stops(units: (fineBeyond + 512) >> 10) }

  /// How much brighter than `level` the scene may be: noise below black looks darker than it is. At least 0.
  var hidden: Stops { Stops(units: (fineHidden + 512) >> 10) }

  /// - Parameters:
  ///   - exposure: the exposure of the setting that the frame shows.
  ///   - elapsed: nanoseconds since the last frame.
  mutating func take(_ reading: MeterReading, exposure: Stops, elapsed: Int64) {
    if reading.clipped < Self.slightlyClipped { spread = reading.spread }
    let wasClipped = isClipped
    isClipped = reading.clipped >= Self.heavilyClipped
    hidesBright = reading.clipped >= Self.slightlyClipped
    hidesDark = reading.crushed >= Self.slightlyClipped
    let extra = beyond(reading)
    let now = (reading.level - exposure + extra).units << 10, nowBeyond = extra.units << 10
    let nowHidden = max(0, ((reading.seenLevel ?? reading.level) - reading.level).units) << 10
    guard let fine else {
      (self.fine, fineBeyond, fineHidden) = (now, nowBeyond, nowHidden)
      return
    }
    let difference = now - fine
    if abs(difference) > Self.jump.units << 10 {
      // A clipped reading only says "more" at each step. Once it is no longer clipped, it counts without confirmation.
      let isBorneOut = jumped == difference.signum() || wasClipped
      if isBorneOut { (self.fine, fineBeyond, fineHidden) = (now, nowBeyond, nowHidden) }
      jumped = isBorneOut ? 0 : difference.signum()
    } else {
      jumped = 0
      let elapsed = min(elapsed, 1_000_000_000)
      self.fine = fine + difference * Int(elapsed) / Int(elapsed + Self.smoothing)
      fineBeyond += (nowBeyond - fineBeyond) * Int(elapsed) / Int(elapsed + Self.smoothing)
      fineHidden += (nowHidden - fineHidden) * Int(elapsed) / Int(elapsed + Self.smoothing)
    }
  }

  /// The least amount by which a heavily clipped frame is brighter than its reading.
  ///
  /// In a normal distribution with the share c clipped, the mean lies z(c) standard deviations beyond the clipping
  /// point. 5/4 · (2c − 1), plus 3/4 · (10c − 9) above 0.9, is below z(c) from 0.5 to 1. The deviation is the one last
  /// seen; without a deviation nothing is added, so that the estimate never overshoots.
  private func beyond(_ reading: MeterReading) -> Stops {
    let whole = MeterReading.whole
    guard reading.clipped > Self.heavilyClipped else { return .zero }
    let deviations = 5 * (2 * reading.clipped - whole) + 3 * max(0, 10 * reading.clipped - 9 * whole)
    return Stops(units: spread.units * deviations / (4 * whole))
  }
}
