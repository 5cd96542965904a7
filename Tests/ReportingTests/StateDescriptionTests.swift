import Reporting
import Testing

/// Recorders that no longer run, in words.
struct StateDescriptionTests {
  @Test func othersThatNoLongerRun_areCounted() {
    #expect(
      StateDescription.more(1)
        == "1 more that no longer runs: 'camrec status --all' lists it, 'camrec status --forget' removes it")
    #expect(
      StateDescription.more(2)
        == "2 more that no longer run: 'camrec status --all' lists them, 'camrec status --forget' removes them")
  }

  @Test func whereAllAreOld_theyAreCounted() {
    #expect(
      StateDescription.onlyOlder(1)
        == "no recorder has reported for a day; --all lists 1 older one, --forget removes it")
    #expect(
      StateDescription.onlyOlder(2)
        == "no recorder has reported for a day; --all lists 2 older ones, --forget removes them")
  }
}
