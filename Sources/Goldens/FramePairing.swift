import Frames

/// Pairs the frames of a film with a golden's, and lists what differs.
///
/// Frames with equal hashes belong together. Between those, frames pair by their times, counted from the last such
/// pair.
struct FramePairing {
  /// In the order of the film, with differences in time last.
  private(set) var differences: [FrameDifference] = []

  private let golden: FrameHashes
  private let film: FrameHashes
  /// Half of a golden frame's usual duration (the median), in nanoseconds: closer frames belong together.
  private let half: Int64
  /// The golden's frames by their hashes; the last of each.
  private let shown: [String: Int]
  /// How many nanoseconds later the film has each golden frame that was found in it.
  private var delays: [(golden: Int, nanoseconds: Int64)] = []

  /// Tolerance for equal times, in nanoseconds.
  private static let rounding: Int64 = 2
  /// Tolerance within a run of late frames, in nanoseconds: Matroska counts in milliseconds.
  private static let blur: Int64 = 1_100_000

  /// - Parameter anchors: frames that belong together, also if an encoder gave them other hashes; empty: pair by times
  ///   alone.
  init(golden: FrameHashes, film: FrameHashes, anchors: [(golden: Int, film: Int)]) {
    self.golden = golden
    self.film = film
    let durations = golden.pictures.map(\.duration).sorted()
    half = max(1, golden.nanoseconds(durations.isEmpty ? 1 : durations[durations.count / 2]) / 2)
    shown = Dictionary(golden.pictures.enumerated().map { ($0.element.hash, $0.offset) }) { $1 }
    var last: (golden: Int, film: Int)?
    for anchor in anchors {
      compareGap(after: last, before: anchor)
      pair(anchor.golden, anchor.film)
      last = anchor
    }
    compareGap(after: last, before: (golden.pictures.count, film.pictures.count))
    noteMoves()
    noteShifts()
    noteEnding()
  }

  /// Number of frames that differ; a run of late ones counts once.
  var weight: Int {
    differences.indices.reduce(0) { sum, place in
      switch differences[place] {
      case .changed(let run), .dropped(let run), .added(let run), .repeated(_, let run): sum + run.count
      case .swapped: sum + 2
      // Missing at one place and added at another.
      case .moved(let run, _): sum + 2 * run.count
      case .replaced(let of, let shows):
        // Two in a row that show two in a row: one frame is missing there, and another is there twice.
        sum + (place > 0 && differences[place - 1] == .replaced(of: of - 1, shows: shows - 1) ? 2 : 1)
      // Missing frames divide a run.
      case .shifted(_, let late, _):
        if place > 0, case .shifted(_, let before, _) = differences[place - 1],
          abs(before - late) <= FramePairing.blur
        {
          sum
        } else {
          sum + 1
        }
      case .format, .ending: sum + 1
      }
    }
  }

  // MARK: Between two frames that match

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
      if shows == wanted - 1, differences.last == .replaced(of: shows, shows: wanted) {
        differences[differences.count - 1] = .swapped(first: shows)
      } else {
        differences.append(.replaced(of: wanted, shows: shows))
      }
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
      if case .repeated(of, let run)? = differences.last, run.upperBound == got - 1 {
        differences[differences.count - 1] = .repeated(of: of, film: run.lowerBound...got)
      } else {
        differences.append(.repeated(of: of, film: got...got))
      }
    } else if case .added(let run)? = differences.last, run.upperBound == got - 1 {
      differences[differences.count - 1] = .added(run.lowerBound...got)
    } else {
      differences.append(.added(got...got))
    }
  }

  // MARK: Order

  /// What is missing at one place and added at another has moved.
  private mutating func noteMoves() {
    let found = differences
    let dropped: [Int] = found.flatMap { if case .dropped(let run) = $0 { Array(run) } else { [Int]() } }
    let added: [Int] = found.flatMap { if case .added(let run) = $0 { Array(run) } else { [Int]() } }
    let moves = FrameMatch.find(
      first: dropped.map { (place: $0, key: golden.pictures[$0].hash) },
      second: added.map { (place: $0, key: film.pictures[$0].hash) })
    guard !moves.isEmpty else { return }
    let gone = Set(moves.map(\.first))
    let origins = Dictionary(uniqueKeysWithValues: moves.map { ($0.second, $0.first) })
    differences = []
    for difference in found {
      switch difference {
      case .dropped(let run): for wanted in run where !gone.contains(wanted) { drop(wanted) }
      case .added(let run):
        for got in run { if let wanted = origins[got] { move(wanted, to: got) } else { add(got) } }
      default: differences.append(difference)
      }
    }
  }

  private mutating func move(_ wanted: Int, to got: Int) {
    if case .moved(let run, let film)? = differences.last, run.upperBound == wanted - 1, film.upperBound == got - 1 {
      differences[differences.count - 1] = .moved(run.lowerBound...wanted, film: film.lowerBound...got)
    } else {
      differences.append(.moved(wanted...wanted, film: got...got))
    }
  }

  // MARK: Times

  /// How many nanoseconds later the film's frame is.
  private func delay(_ wanted: Int, _ got: Int) -> Int64 {
    film.nanoseconds(film.pictures[got].time) - golden.nanoseconds(golden.pictures[wanted].time)
  }

  private mutating func noteShifts() {
    var run: (first: Int, last: Int, nanoseconds: Int64, least: Int64, greatest: Int64)?
    func noteRun() {
      guard let run else { return }
      let span = run.greatest - run.least > FramePairing.rounding ? run.least...run.greatest : nil
      differences.append(.shifted(run.first...run.last, nanoseconds: run.nanoseconds, span: span))
    }
    for (index, late) in delays {
      // A missing frame is neither early nor late.
      if let begun = run, index == begun.last + 1, abs(late) > FramePairing.rounding,
        abs(begun.nanoseconds - late) <= FramePairing.blur
      {
        run = (begun.first, index, begun.nanoseconds, min(begun.least, late), max(begun.greatest, late))
        continue
      }
      noteRun()
      run = abs(late) <= FramePairing.rounding ? nil : (index, index, late, late, late)
    }
    noteRun()
  }

  /// For a film that equals the golden except at its end.
  private mutating func noteEnding() {
    guard differences.isEmpty, let last = golden.pictures.last, let end = film.pictures.last else { return }
    let wanted = golden.nanoseconds(last.duration)
    let got = film.nanoseconds(end.duration)
    if abs(wanted - got) > FramePairing.rounding { differences.append(.ending(golden: wanted, film: got)) }
  }
}
