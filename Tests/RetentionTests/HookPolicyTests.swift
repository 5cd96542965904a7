import Retention
import Testing

@Suite struct HookPolicyTests {
  private let policy = HookPolicy(mostTries: 5)

  private func moment(_ uptime: Double) -> Moment {
    Moment(boot: "one", uptime: uptime, time: 0, isSynchronized: false)
  }

  private func entry(
    _ name: String, tries: Int = 0, last: Double? = nil, of recorder: String = "front", isGivenUp: Bool = false,
    hasHook: Bool = true, protection: RetentionPolicy.Protection? = .awaitsHook
  ) -> FilmFolder.Entry {
    var hook = FilmCatalogue.Hook()
    (hook.tries, hook.last, hook.isGivenUp) = (tries, last.map(moment), isGivenUp)
    return FilmFolder.Entry(
      film: CataloguedFilm(
        id: name, film: name, recorder: recorder, inode: nil, bytes: 1, head: "", finished: moment(0),
        awaitsHook: true),
      protection: protection, age: 0, hook: hasHook ? hook : nil)
  }

  private func next(_ entries: [FilmFolder.Entry], at uptime: Double) -> String {
    switch policy.next(among: entries, of: "front", at: moment(uptime), seconds: { $1.uptime - $0.uptime }) {
    case .run(let film, let tries): "\(film.film) \(tries)"
    case .wait(let seconds): "wait \(seconds)"
    case .nothing: "nothing"
    }
  }

  @Test func theOldestComesFirst_andOneThatFailsKeepsNoneWaiting() {
    #expect(next([], at: 100) == "nothing")
    #expect(next([entry("a"), entry("b")], at: 100) == "a 0")
    #expect(next([entry("a", tries: 1, last: 100), entry("b")], at: 101) == "b 0")
    #expect(next([entry("a", tries: 1, last: 100), entry("b", tries: 3, last: 100)], at: 101) == "wait 9.0")
    #expect(next([entry("a", tries: 3, last: 100), entry("b", tries: 1, last: 101)], at: 111) == "b 1")
    #expect(next([entry("a", tries: 3, last: 100)], at: 140) == "a 3")
  }

  @Test func othersFilmsAndThoseThatAreDoneAreNotRun() {
    let entries = [
      entry("a", of: "back"), entry("b", isGivenUp: true), entry("c", hasHook: false), entry("d", protection: .foreign),
      entry("e", protection: .kept),
    ]
    #expect(next(entries, at: 100) == "e 0")
    #expect(next(Array(entries.dropLast()), at: 100) == "nothing")
  }

  @Test func pausesDoubleUpToAnHour_andThenItIsGivenUp() {
    #expect((1...5).map(HookPolicy.pause(afterTries:)) == [10, 20, 40, 80, 160])
    #expect(HookPolicy.pause(afterTries: 10) == 3600 && HookPolicy.pause(afterTries: .max) == 3600)
    #expect((1...4).allSatisfy { policy.outcome(afterTries: $0) == .failed })
    #expect(policy.outcome(afterTries: 5) == .givenUp)
    let day = (1..<30).map(HookPolicy.pause(afterTries:)).reduce(0, +)
    #expect((20...26).contains(day / 3600), "\(day)")
  }

  @Test func aHookIsCountedThroughTheCatalogue() {
    let film = entry("a").film
    var catalogue = FilmCatalogue()
    catalogue.take(CatalogueLine(finished: film))
    #expect(catalogue.hook(of: film) == FilmCatalogue.Hook())
    catalogue.take(CatalogueLine(hooked: .init(id: "a", outcome: .failed, tries: 2, moment: moment(5))))
    #expect(catalogue.hook(of: film)?.tries == 2)
    catalogue.take(CatalogueLine(hooked: .init(id: "a", outcome: .givenUp, tries: 3, moment: moment(6))))
    #expect(catalogue.hook(of: film)?.isGivenUp == true)
    catalogue.take(CatalogueLine(hooked: .init(id: "a", outcome: .wanted, tries: 0, moment: moment(7))))
    #expect(catalogue.hook(of: film) == FilmCatalogue.Hook())
    catalogue.take(CatalogueLine(hooked: .init(id: "a", outcome: .done, tries: 1, moment: moment(8))))
    #expect(catalogue.hook(of: film) == nil)
  }
}
