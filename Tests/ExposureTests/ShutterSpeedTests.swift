import Exposure
import Foundation
import Frames
import TestKit
import Testing

struct ShutterSpeedTests {
  /// As the dial prints them.
  private static let printed = [
    "1/8000", "1/6400", "1/5000", "1/4000", "1/3200", "1/2500", "1/2000", "1/1600", "1/1250", "1/1000", "1/800",
    "1/640", "1/500", "1/400", "1/320", "1/250", "1/200", "1/160", "1/125", "1/100", "1/80", "1/60", "1/50", "1/40",
    "1/30", "1/25", "1/20", "1/15", "1/13", "1/10", "1/8", "1/6", "1/5", "1/4", "0.3″", "0.4″", "1/2", "0.6″", "0.8″",
    "1″", "1.3″", "1.6″", "2″", "2.5″", "3.2″", "4″", "5″", "6″", "8″", "10″", "13″", "15″", "20″", "25″", "30″",
  ]

  @Test func the55SpeedsStandInOrder() {
    #expect(ShutterSpeed.all.map(\.name) == ShutterSpeedTests.printed)
    #expect(ShutterSpeed.all.count == 55 && ShutterSpeed.all.map(\.index) == Array(0...54))
    #expect(ShutterSpeed.first.name == "1/8000" && ShutterSpeed.last.name == "30″")
    #expect(zip(ShutterSpeed.all, ShutterSpeed.all.dropFirst()).allSatisfy { $0.nominalSeconds < $1.nominalSeconds })
  }

  @Test func nominalSecondsAreTheNamesToTheLetter() throws {
    for (name, seconds) in [
      ("1/8000", Rational(1, 8000)), ("1/60", Rational(1, 60)), ("0.3″", Rational(3, 10)), ("1.6″", Rational(8, 5)),
      ("30″", Rational(30)),
    ] { #expect(try ShutterSpeed(parsing: name).nominalSeconds == seconds) }
  }

  @Test func neighboursAreAThirdOfAStopApartWhateverTheirNames() {
    for (a, b) in zip(ShutterSpeed.all, ShutterSpeed.all.dropFirst()) {
      #expect(abs(log2(b.exactSeconds / a.exactSeconds) - 1.0 / 3) < 1e-12)
      #expect(a.distance(to: b) == ThirdStops(1) && b.distance(to: a) == ThirdStops(-1))
    }
  }

  @Test func wholeStopsFromOneSecondArePowersOfTwo() throws {
    for (name, seconds) in [("1/8000", 1.0 / 8192), ("1/250", 1.0 / 256), ("1/4", 0.25), ("1″", 1), ("30″", 32)] {
      #expect(try ShutterSpeed(parsing: name).exactSeconds == seconds)
    }
  }

  @Test func whatIsPrintedIsNearestToItself() {
    for speed in ShutterSpeed.all {
      #expect(ShutterSpeed.nearest(to: speed.nominalSeconds.doubleValue) == speed)
      #expect(ShutterSpeed.nearest(to: speed.exactSeconds) == speed)
      // Almost half of the way to the neighbour.
      #expect(ShutterSpeed.nearest(to: speed.exactSeconds * exp2(0.166)) == speed)
      #expect(ShutterSpeed.nearest(to: speed.exactSeconds * exp2(-0.166)) == speed)
    }
  }

  @Test func nothingInTheTableIsNearerThanTheNearest() throws {
    var random = SplitMix(seed: 41)
    for _ in 0..<2000 {
      let seconds = exp2(random.unit() * 24 - 16)
      let found = try #require(ShutterSpeed.nearest(to: seconds))
      let distance = abs(log2(seconds / found.exactSeconds))
      #expect(ShutterSpeed.all.allSatisfy { abs(log2(seconds / $0.exactSeconds)) >= distance - 1e-12 })
    }
  }

  @Test func beyondTheTableItsEndsAreNearestAndNoTimeHasNone() {
    #expect(ShutterSpeed.nearest(to: 1e-300) == .first && ShutterSpeed.nearest(to: 1e300) == .last)
    for seconds in [0, -1, Double.nan, .infinity, -.infinity] { #expect(ShutterSpeed.nearest(to: seconds) == nil) }
  }

  @Test func aMoveStopsAtTheTablesEnds() throws {
    let second = try ShutterSpeed(parsing: "1s")
    #expect(second.moved(by: ThirdStops(3)).name == "2″" && second.moved(by: ThirdStops(-3)).name == "1/2")
    #expect(second.moved(by: ThirdStops(16)) == .last && second.moved(by: ThirdStops(-40)) == .first)
  }

  @Test func everyNameIsReadAsItIsPrintedAndAsItIsTyped() throws {
    for speed in ShutterSpeed.all {
      #expect(try ShutterSpeed(parsing: speed.name) == speed)
      #expect(try ShutterSpeed(parsing: speed.typedName) == speed)
      #expect(!speed.typedName.contains("″"))
    }
  }

  @Test(arguments: [
    ("1/4", "1/4"), ("0.3\"", "0.3″"), ("0.3″", "0.3″"), ("0.3s", "0.3″"), ("2s", "2″"), ("2 s", "2″"), ("2\"", "2″"),
    ("2”", "2″"), ("2''", "2″"), ("2.0s", "2″"), (" 1/50 ", "1/50"), ("1/50s", "1/50"), ("0.25s", "1/4"), ("1/1", "1″"),
    ("1/2.5", "0.4″"), ("10/1000", "1/100"),
  ])
  func aTimeOfTheTableIsReadHoweverItIsWritten(_ text: String, _ name: String) throws {
    #expect(try ShutterSpeed(parsing: text).name == name)
  }

  @Test(arguments: [
    ("1/55", "there is no standard exposure time '1/55'; the nearest are 1/60 and 1/50"),
    ("1/3", "there is no standard exposure time '1/3'; the nearest are 0.3″ and 0.4″"),
    ("3/2", "there is no standard exposure time '3/2'; the nearest are 1.3″ and 1.6″"),
    ("1/9000", "'1/9000' is shorter than the shortest standard exposure time, 1/8000"),
    ("31s", "'31s' is longer than the longest standard exposure time, 30″"),
    ("4", "'4' has no unit; write 4s for seconds, or 1/4 for a fraction of one"),
    ("0.3", "'0.3' has no unit; write 0.3s for seconds"),
    ("fast", "'fast' is not an exposure time; write it as in 1/250, 0.3s or 2s"),
    ("s", "'s' is not an exposure time"), ("", "'' is not an exposure time"), ("   ", "'   ' is not an exposure time"),
    ("0s", "'0s' is not an exposure time"), ("1/0", "'1/0' is not an exposure time"),
    ("/4", "'/4' is not an exposure time"), ("1/4/4", "'1/4/4' is not an exposure time"),
    ("-1s", "'-1s' is not an exposure time"),
    ("1e3s", "'1e3s' is not an exposure time"), ("nans", "'nans' is not an exposure time"),
    ("٣s", "'٣s' is not an exposure time"), ("9999999999s", "'9999999999s' is not an exposure time"),
    ("999999999.999999/0.000001", "is longer than the longest standard exposure time"),
    ("0.000001/999999999.999999", "is shorter than the shortest standard exposure time"),
  ])
  func whatIsNoSpeedIsRefusedInOneSentence(_ text: String, _ sentence: String) {
    let error = #expect(throws: CamrecError.self) { try ShutterSpeed(parsing: text) }
    #expect(error?.code == .usage && error?.message.contains(sentence) == true, "\(error?.message ?? "")")
  }
}
