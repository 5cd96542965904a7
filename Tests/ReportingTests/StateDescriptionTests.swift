import Reporting
import Testing

/// Recorders that no longer run, in words.
struct StateDescriptionTests {
  @Test(arguments: [
    (1, "1 more that no longer runs: --all lists it, --forget removes it"),
    (2, "2 more that no longer run: --all lists them, --forget removes them"),
  ])
  func othersThatNoLongerRun_areCounted(_ count: Int, _ sentence: String) {
    #expect(StateDescription.more(count, list: "--all", forget: "--forget") == sentence)
  }

  @Test(arguments: [
    (1, "no recorder has reported for a day; --all lists 1 older one, --forget removes it"),
    (2, "no recorder has reported for a day; --all lists 2 older ones, --forget removes them"),
  ])
  func whereAllAreOld_theyAreCounted(_ count: Int, _ sentence: String) {
    #expect(StateDescription.onlyOlder(count, list: "--all", forget: "--forget") == sentence)
  }
}
