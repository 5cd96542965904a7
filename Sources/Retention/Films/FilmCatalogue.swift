/// What a folder's catalogue says: the films that camrec has finished there, oldest first, and what became of them.
///
/// The oldest film is the one whose recording began first, no matter when it was entered: films are ordered by run of
/// the system, time since that run began, and line. A film without a line about its beginning has the place of its own
/// line.
///
/// A value: lines go in, in order.
public struct FilmCatalogue: Hashable, Sendable {
  /// The state of a film's hook.
  public struct Hook: Hashable, Sendable {
    /// Runs that have failed, and when the last one did.
    public var tries = 0
    public var last: Moment?
    public var isGivenUp = false
    /// Why the last one failed, in words.
    public var error: String?

    public init(tries: Int = 0, last: Moment? = nil, isGivenUp: Bool = false, error: String? = nil) {
      self.error = error
      self.tries = tries
      self.last = last
      self.isGivenUp = isGivenUp
    }
  }

  /// Finished films, without those that camrec has deleted. Others may be gone all the same.
  public private(set) var films: [CataloguedFilm] = []
  /// Films that were begun and not heard of since.
  public private(set) var unfinished: [CatalogueLine.Begun] = []
  private var hooks: [String: Hook] = [:]
  /// Places of films by id, and of unfinished films by name.
  private var places: [String: Place] = [:]
  private var unfinishedPlaces: [String: Place] = [:]
  private var lineCount = 0
  private var ids: Set<String> = []
  private var time = RunningTime()

  /// The place of a recording among the others.
  private struct Place: Hashable, Comparable {
    var run: Int, uptime: Double, line: Int

    static func < (one: Place, other: Place) -> Bool {
      (one.run, one.uptime, one.line) < (other.run, other.uptime, other.line)
    }
  }

  public init() {}

  public mutating func take(_ line: CatalogueLine) {
    lineCount += 1
    if let moment = line.moment { time.note(moment) }
    if let begun = line.begun {
      for name in [begun.former, begun.film].compactMap(\.self) {
        unfinished.removeAll { $0.film == name }
        unfinishedPlaces[name] = nil
      }
      unfinished.append(begun)
      unfinishedPlaces[begun.film] = place(begun.moment)
    }
    if let film = line.finished, FilmCatalogue.isName(film.film), ids.insert(film.id).inserted { take(film) }
    if let hooked = line.hooked { take(hooked) }
    if let adopted = line.adopted { take(adopted) }
    if let moved = line.moved {
      unfinished.removeAll { $0.film == moved.film && $0.moment == moved.begun }
      if !unfinished.contains(where: { $0.film == moved.film }) { unfinishedPlaces[moved.film] = nil }
    }
    if let deleted = line.deleted {
      hooks[deleted.id] = nil
      places[deleted.id] = nil
      films.removeAll { $0.id == deleted.id }
    }
  }

  private mutating func take(_ finished: CataloguedFilm) {
    var film = finished
    let begun = begun(of: film)
    if film.begun == nil { film.begun = begun?.moment }
    // A run of which no line is left has no place.
    if let moment = film.begun, time.index(ofRun: moment.boot) == nil { film.begun = nil }
    var place = place(film.begun ?? film.finished)
    if let begun, begun.moment == film.begun, let line = unfinishedPlaces[begun.film]?.line { place.line = line }
    for name in Set([film.film, begun?.film ?? film.film]) {
      unfinished.removeAll { $0.film == name }
      unfinishedPlaces[name] = nil
    }
    places[film.id] = place
    // Most films are the newest.
    let index = films.lastIndex { places[$0.id].map { $0 < place } ?? true }.map { $0 + 1 } ?? 0
    films.insert(film, at: index)
    if film.awaitsHook { hooks[film.id] = Hook() }
  }

  private func place(_ moment: Moment) -> Place {
    Place(run: time.index(ofRun: moment.boot) ?? 0, uptime: moment.uptime, line: lineCount)
  }

  /// The line about the film's beginning: under its name, or under the name that it had then.
  func begun(of film: CataloguedFilm) -> CatalogueLine.Begun? {
    unfinished.last { $0.film == film.film && ($0.inode == nil || film.inode == nil || $0.inode == film.inode) }
      ?? unfinished.last { $0.inode != nil && $0.inode == film.inode && $0.recorder == film.recorder }
  }

  private mutating func take(_ hooked: CatalogueLine.Hooked) {
    switch hooked.outcome {
    case .done: hooks[hooked.id] = nil
    case .failed: hooks[hooked.id] = Hook(tries: hooked.tries, last: hooked.moment, error: hooked.error)
    case .givenUp:
      hooks[hooked.id] = Hook(tries: hooked.tries, last: hooked.moment, isGivenUp: true, error: hooked.error)
    case .wanted: if ids.contains(hooked.id) { hooks[hooked.id] = Hook() }
    }
  }

  private mutating func take(_ adopted: CatalogueLine.Adopted) {
    for index in films.indices
    where films[index].recorderID == adopted.id && films[index].recorder == adopted.recorder {
      films[index].recorderID = adopted.by
    }
    for index in unfinished.indices
    where unfinished[index].recorderID == adopted.id && unfinished[index].recorder == adopted.recorder {
      unfinished[index].recorderID = adopted.by
    }
  }

  /// Identities of recorders with films, finished or not.
  var recorderIDs: Set<String> {
    Set(films.compactMap(\.recorderID)).union(unfinished.compactMap(\.recorderID))
  }

  /// Identities of the recorders of a name that have films, and how many of their films are finished.
  func recorders(named name: String) -> [String: Int] {
    var counts: [String: Int] = [:]
    for film in films where film.recorder == name { film.recorderID.map { counts[$0, default: 0] += 1 } }
    for film in unfinished where film.recorder == name { film.recorderID.map { counts[$0, default: 0] += 0 } }
    return counts
  }

  /// Leaves out films that somebody has taken away: those that have no file under any of their names, and that wait for
  /// no hook.
  ///
  /// - Parameter names: those that a finished film may have.
  mutating func forget(names: (CataloguedFilm) -> [String], where isGone: (_ name: String) -> Bool) {
    let gone = films.filter { (hooks[$0.id]?.isGivenUp ?? true) && names($0).allSatisfy(isGone) }
    for film in gone { (hooks[film.id], places[film.id]) = (nil, nil) }
    let ids = Set(gone.map(\.id))
    films.removeAll { ids.contains($0.id) }
    unfinished.removeAll { isGone($0.film) }
  }

  /// The fewest lines that say what is still of use, without deleted films, in the order in which the recordings began.
  package var lines: [CatalogueLine] {
    let known = films.map { film -> (place: Place?, lines: [CatalogueLine]) in
      var entry = film
      entry.awaitsHook = hooks[film.id] != nil
      let line = CatalogueLine(finished: entry)
      guard let hook = hooks[film.id], let last = hook.last else { return (places[film.id], [line]) }
      let outcome: CatalogueLine.Hooked.Outcome = hook.isGivenUp ? .givenUp : .failed
      let hooked = CatalogueLine(
        hooked: .init(id: film.id, outcome: outcome, tries: hook.tries, moment: last, error: hook.error))
      return (places[film.id], [line, hooked])
    }
    let begun = unfinished.map { (place: unfinishedPlaces[$0.film], lines: [CatalogueLine(begun: $0)]) }
    let ordered = (known + begun).sorted { one, other in
      guard let one = one.place, let other = other.place else { return false }
      return one < other
    }
    return time.moments.map { CatalogueLine(seen: $0) } + ordered.flatMap(\.lines)
  }

  /// `nil` if none has to run any more.
  public func hook(of film: CataloguedFilm) -> Hook? { hooks[film.id] }

  /// Whether a film was ever entered under this id, even if it is gone.
  func hasEntered(_ id: String) -> Bool { ids.contains(id) }

  public func film(_ id: String) -> CataloguedFilm? { films.first { $0.id == id } }

  /// Seconds since the film was finished; never too many.
  public func age(of film: CataloguedFilm, at now: Moment) -> Double { time.seconds(from: film.finished, to: now) }

  /// Seconds from one moment to another.
  public func seconds(from then: Moment, to now: Moment) -> Double { time.seconds(from: then, to: now) }

  /// Whether a film of this folder can have this name: it is not a path, nor the name of anything that camrec keeps
  /// beside films.
  public static func isName(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.contains("/") && !name.contains("\0") && !name.hasSuffix(".camrec")
      && !name.hasSuffix(".keep")
  }
}
