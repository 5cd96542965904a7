import Frames
import Testing

struct RationalTests {
  @Test func isKeptInLowestTermsWithAPositiveDenominator() {
    let half = Rational(-12, -24)
    #expect(half.numerator == 1 && half.denominator == 2)
    #expect(Rational(3, -6).description == "-1/2")
    #expect(Rational(0, 7) == Rational(0))
  }

  @Test func scalesWithoutOverflowAndRoundsToNearest() {
    #expect(Rational(1001, 24000).scaling(48000) == 2002)
    #expect(Rational(1_000_000_000, 3).scaling(Int64.max / 1_000_000_000) == 3_074_457_345_333_333_333)
    #expect(Rational(1, 2).scaling(3) == 2)
    #expect(Rational(1, 2).scaling(-3) == -2)
    // A year in units of 1/123456789 s: as a fraction it has no room in 64 bits.
    #expect(Rational(123_456_789).scaling(Rational(31_622_399_999_999, 1_000_000)) == 3_903_999_964_473_477)
    #expect(Rational(Int64.max).scaling(2) == .max && Rational(Int64.max).scaling(-2) == .min)
  }

  @Test func aProductThatDoesNotFitIsNone() {
    #expect(Rational(1001, 24000).product(with: Rational(24000, 1001)) == Rational(1))
    // What cancels is cancelled first.
    #expect(Rational(Int64.max, 3).product(with: Rational(3, Int64.max)) == Rational(1))
    #expect(Rational(Int64.max).product(with: Rational(2)) == nil)
    #expect(Rational(1, Int64.max).product(with: Rational(1, 2)) == nil)
    #expect(Rational(Int64.min).product(with: Rational(-1)) == nil)
  }

  @Test func comparesBeyondDoublePrecision() {
    #expect(Rational(Int64.max - 1, Int64.max) < Rational(1))
    #expect(Rational(-1, 3) < Rational(1, 1_000_000))
  }
}

struct FrameRateTests {
  @Test(arguments: [
    ("24", Rational(24)), ("23.976", Rational(24000, 1001)), ("23.98", Rational(24000, 1001)),
    ("24000/1001", Rational(24000, 1001)), ("29.97", Rational(30000, 1001)), ("59.94", Rational(60000, 1001)),
    ("12.5", Rational(25, 2)), ("48/2", Rational(24)), ("1000", Rational(1000)),
    ("23.976023976", Rational(2_997_002_997, 125_000_000)),
    // As programs write a quotient.
    ("25.0000000000", Rational(25, 1)), ("23.9760000000", Rational(24000, 1001)),
    ("23.976023976023978", Rational(24000, 1001)), ("29.97002997002997", Rational(30000, 1001)),
    ("12.5000000000000", Rational(25, 2)), ("33.333333333333336", Rational(33_333_333_333, 1_000_000_000)),
  ])
  func readsWhatPeopleWrite(text: String, rate: Rational) {
    #expect(FrameRate(parsing: text)?.rational == rate)
  }

  @Test(arguments: [
    "", "0", "-24", "1e9", "1001", "24/0", "0/1", "24/", "/24", "24.", ".5", "abc", "24 ", "١٢", "24/1/1",
    "99999999999999999999", "0.0000000000000", "1000.0000010000",
  ])
  func refusesWhatIsNoRate(text: String) {
    #expect(FrameRate(parsing: text) == nil)
  }

  @Test func countsWholeFramesForTimecode() {
    #expect(FrameRate(parsing: "23.976")?.timecodeBase == 24)
    #expect(FrameRate(parsing: "29.97")?.timecodeBase == 30)
    #expect(FrameRate(parsing: "25")?.timecodeBase == 25)
    #expect(FrameRate(parsing: "12.5")?.timecodeBase == 13)
    #expect(FrameRate(parsing: "25/3")?.timecodeBase == 8)
    #expect(FrameRate(parsing: "30.01")?.timecodeBase == 30)
    #expect(FrameRate(parsing: "0.2")?.timecodeBase == 1)
  }
}

struct FourCCTests {
  @Test func readsBackAsWritten() {
    #expect(FourCC("MJPG").code == 0x4750_4A4D)
    #expect(FourCC("Y8").description == "Y8")
    #expect(FourCC(code: 0x0001_4142).description == "BA??")
  }
}
