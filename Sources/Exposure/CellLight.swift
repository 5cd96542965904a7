/// The light on the parts of a frame: the reading there minus the exposure, averaged as `SceneEstimate` averages the
/// whole frame.
struct CellLight: Hashable, Sendable {
  private static let unknown = Int64.min

  /// 1/1024 of a unit of `Stops`.
  private var fine = SIMD16<Int64>(repeating: Self.unknown)

  mutating func take(_ cells: MeterCells, exposure: Stops, elapsed: Int64) {
    let elapsed = min(elapsed, 1_000_000_000)
    for index in 0..<MeterCells.count {
      guard let level = cells[index] else {
        fine[index] = Self.unknown
        continue
      }
      let now = Int64((level - exposure).units) << 10, before = fine[index]
      let isNew = before == Self.unknown || abs(now - before) > Int64(SceneEstimate.jump.units) << 10
      fine[index] = isNew ? now : before + (now - before) * elapsed / (elapsed + SceneEstimate.smoothing)
    }
  }

  /// EV by which the light has increased: the median of the parts' changes, which moves only if half of them change.
  /// `nil` if only half of the parts or fewer can be compared.
  func change(since before: CellLight) -> Stops? {
    var changes = SIMD16<Int64>(), count = 0
    for index in 0..<MeterCells.count where fine[index] != Self.unknown && before.fine[index] != Self.unknown {
      let change = fine[index] - before.fine[index]
      var place = count
      while place > 0, changes[place - 1] > change {
        changes[place] = changes[place - 1]
        place -= 1
      }
      changes[place] = change
      count += 1
    }
    guard count * 2 > MeterCells.count else { return nil }
    let middle = (changes[count / 2] + changes[(count - 1) / 2]) / 2
    return Stops(units: Int((middle + 512) >> 10))
  }
}
