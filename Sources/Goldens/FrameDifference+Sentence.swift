import Foundation

extension FrameDifference {
  /// For people: which frames, when, and how they differ.
  ///
  /// - Parameter golden: the golden in which frames are counted.
  public func sentence(golden: FrameHashes) -> String {
    switch self {
    case .format(let wanted, let got): return "the frames are \(got), not \(wanted)"
    case .changed(let run): return FrameDifference.words(run, golden, "differs", "differ")
    case .replaced(let of, let shows) where shows == of - 1:
      // If that one is late, too, this one repeats nothing.
      return "\(FrameDifference.words(of...of, golden, "shows", "")) frame \(shows), the one before it"
    case .replaced(let of, let shows): return "\(FrameDifference.words(of...of, golden, "shows", "")) frame \(shows)"
    case .swapped(let first):
      let times = "\(FrameDifference.time(of: first, golden)) and \(FrameDifference.time(of: first + 1, golden))"
      return "frames \(first) and \(first + 1) (\(times)) have changed places"
    case .moved(let run, let film):
      return FrameDifference.words(
        run, golden, "has moved: it is the film's frame \(film.lowerBound)",
        "have moved: they are the film's frames \(film.lowerBound) to \(film.upperBound)")
    case .dropped(let run): return FrameDifference.words(run, golden, "is missing", "are missing")
    case .repeated(let of, let film):
      let times = film.count == 1 ? "twice" : "\(film.count + 1) times"
      return FrameDifference.words(of...of, golden, "appears \(times)", "")
    case .added(let run):
      return run.count == 1
        ? "the film's frame \(run.lowerBound) is not in the golden"
        : "the film's frames \(run.lowerBound) to \(run.upperBound) are not in the golden"
    case .shifted(let run, let nanoseconds, let span):
      let shift = FrameDifference.shift(span ?? nanoseconds...nanoseconds)
      return FrameDifference.words(run, golden, "comes \(shift)", "come \(shift)")
    case .ending(let wanted, let got):
      return "the last frame lasts \(FrameDifference.milliseconds(got)), not \(FrameDifference.milliseconds(wanted))"
    }
  }

  private static func milliseconds(_ nanoseconds: Int64) -> String {
    String(format: "%.3f ms", Double(nanoseconds) / 1e6)
  }

  /// How much frames come earlier or later.
  private static func shift(_ span: ClosedRange<Int64>) -> String {
    func words(_ nanoseconds: Int64) -> String {
      "\(milliseconds(abs(nanoseconds))) \(nanoseconds < 0 ? "earlier" : "later")"
    }
    let (least, greatest) = (words(span.lowerBound), words(span.upperBound))
    if least == greatest { return least }
    if span.lowerBound < 0, span.upperBound > 0 { return "\(least) to \(greatest)" }
    let ends = [abs(span.lowerBound), abs(span.upperBound)].sorted()
    return String(format: "%.3f to ", Double(ends[0]) / 1e6) + words(span.lowerBound < 0 ? -ends[1] : ends[1])
  }

  private static func time(of picture: Int, _ golden: FrameHashes) -> String {
    String(format: "%.3f s", golden.seconds(of: picture))
  }

  private static func words(_ run: ClosedRange<Int>, _ golden: FrameHashes, _ one: String, _ many: String) -> String {
    let (start, end) = (time(of: run.lowerBound, golden), time(of: run.upperBound, golden))
    if run.count == 1 { return "frame \(run.lowerBound) (\(start)) \(one)" }
    if run.count == golden.pictures.count { return "all \(run.count) frames \(many)" }
    return "frames \(run.lowerBound) to \(run.upperBound) (\(start) to \(end)) \(many)"
  }
}
