import Frames

/// Which pictures of a film belong to which of a golden's, and what is not the same then.
///
/// Pictures that are known again belong together; between those, pictures do by their times, reckoned from the one
/// before.
struct FramePairing {
  /// In the order of the film, what is of times behind them.
  private(set) var differences: [FrameDifference] = []

  private let golden: FrameHashes
  private let film: FrameHashes
  /// Half of what a golden picture lasts as a rule (the median), in nanoseconds: what is nearer belongs together.
  private let half: Int64
  /// The golden's pictures by what they show; the last of each.
  private let shown: [String: Int]
  /// Nanoseconds that the film's picture is later, of golden pictures that were found again.
  private var delays: [(golden: Int, nanoseconds: Int64)] = []

  /// Nanoseconds by which rounding may have two times differ that are the same.
  private static let rounding: Int64 = 2
  /// And by which pictures may be late that are so together: Matroska counts in milliseconds.
  private static let blur: Int64 = 1_100_000

  /// - Parameter anchors: what is known again; none pairs by times alone.
  init(golden: FrameHashes, film: FrameHashes, anchors: [(golden: Int, film: Int)]) {
    self.golden = golden
    self.film = film
    let durations = golden.pictures.map(\.duration).sorted()
    half = max(1, golden.nanoseconds(durations.isEmpty ? 1 : durations[durations.count / 2]) / 2)
    shown = Dictionary(golden.pictures.enumerated().map { ($0.element.hash, $0.offset) }) { $1 }
    var last: (golden: Int, film: Int)?
    for anchor in anchors {
      compareGap(after: last, before: anchor)
      delays.append((anchor.golden, delay(anchor.golden, anchor.film)))
      last = anchor
    }
    compareGap(after: last, before: (golden.pictures.count, film.pictures.count))
    noteShifts()
    noteEnding()
  }

  /// How many pictures are not as they should be; a run of late ones is one.
  var weight: Int {
    differences.reduce(0) { sum, difference in
      switch difference {
      case .changed(let run), .dropped(let run), .added(let run): sum + run.count
      case .format, .replaced, .doubled, .shifted, .ending: sum + 1
      }
    }
  }

  // MARK: Between two pictures that are known again

  private mutating func compareGap(after last: (golden: Int, film: Int)?, before next: (golden: Int, film: Int)) {
    var wanted = (last?.golden ?? -1) + 1
    var got = (last?.film ?? -1) + 1
    let offset = last.map { delay($0.golden, $0.film) } ?? 0
    while wanted < next.golden || got < next.film {
      if wanted < next.golden, got < next.film {
        let late = delay(wanted, got) - offset
        if abs(late) < half {
          pair(wanted, got)
          wanted += 1
          got += 1
        } else if late > 0 {
          drop(wanted)
          wanted += 1
        } else {
          add(got)
          got += 1
        }
      } else if wanted < next.golden {
        drop(wanted)
        wanted += 1
      } else {
        add(got)
        got += 1
      }
    }
  }

  private mutating func pair(_ wanted: Int, _ got: Int) {
    delays.append((wanted, delay(wanted, got)))
    let hash = film.pictures[got].hash
    guard golden.pictures[wanted].hash != hash else { return }
    if let shows = shown[hash] {
      differences.append(.replaced(of: wanted, shows: shows))
    } else if case .changed(let run)? = differences.last, run.upperBound == wanted - 1 {
      differences[differences.count - 1] = .changed(run.lowerBound...wanted)
    } else {
      differences.append(.changed(wanted...wanted))
    }
  }

  private mutating func drop(_ wanted: Int) {
    if case .dropped(let run)? = differences.last, run.upperBound == wanted - 1 {
      differences[differences.count - 1] = .dropped(run.lowerBound...wanted)
    } else {
      differences.append(.dropped(wanted...wanted))
    }
  }

  private mutating func add(_ got: Int) {
    let hash = film.pictures[got].hash
    if got > 0, film.pictures[got - 1].hash == hash, let of = shown[hash] {
      differences.append(.doubled(of: of, film: got))
    } else if case .added(let run)? = differences.last, run.upperBound == got - 1 {
      differences[differences.count - 1] = .added(run.lowerBound...got)
    } else {
      differences.append(.added(got...got))
    }
  }

  // MARK: Times

  /// Nanoseconds that the film's picture is later.
  private func delay(_ wanted: Int, _ got: Int) -> Int64 {
    film.nanoseconds(film.pictures[got].time) - golden.nanoseconds(golden.pictures[wanted].time)
  }

  private mutating func noteShifts() {
    var run: (first: Int, last: Int, nanoseconds: Int64)?
    for (index, late) in delays {
      if let begun = run, abs(late) > FramePairing.rounding, abs(begun.nanoseconds - late) <= FramePairing.blur {
        run?.last = index
        continue
      }
      if let run { differences.append(.shifted(run.first...run.last, nanoseconds: run.nanoseconds)) }
      run = abs(late) <= FramePairing.rounding ? nil : (index, index, late)
    }
    if let run { differences.append(.shifted(run.first...run.last, nanoseconds: run.nanoseconds)) }
  }

  /// Of a film that is the golden but for its end.
  private mutating func noteEnding() {
    guard differences.isEmpty, let last = golden.pictures.last, let end = film.pictures.last else { return }
    let wanted = golden.nanoseconds(last.duration)
    let got = film.nanoseconds(end.duration)
    if abs(wanted - got) > FramePairing.rounding { differences.append(.ending(golden: wanted, film: got)) }
  }
}
