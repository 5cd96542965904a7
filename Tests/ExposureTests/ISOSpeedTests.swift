import Exposure
import Foundation
import Frames
import Testing

struct ISOSpeedTests {
  private static let printed = [
    100, 125, 160, 200, 250, 320, 400, 500, 640, 800, 1000, 1250, 1600, 2000, 2500, 3200, 4000, 5000, 6400, 8000, 10000,
    12800,
  ]

  @Test func sevenStopsInThirdsStandInOrder() {
    #expect(ISOSpeed.all.map(\.nominal) == ISOSpeedTests.printed)
    #expect(ISOSpeed.first.distance(to: .last) == ThirdStops(21) && ISOSpeed.first.distance(to: .last).ev == 7)
    for (a, b) in zip(ISOSpeed.all, ISOSpeed.all.dropFirst()) {
      #expect(abs(log2(b.exactValue / a.exactValue) - 1.0 / 3) < 1e-12)
    }
    #expect(ISOSpeed.first.exactValue == 100 && ISOSpeed.last.exactValue == 12800)
  }

  @Test func whatIsPrintedIsNearestToItself() {
    for speed in ISOSpeed.all {
      #expect(ISOSpeed.nearest(to: Double(speed.nominal)) == speed)
      #expect(ISOSpeed.nearest(to: speed.exactValue * exp2(0.166)) == speed)
      #expect(ISOSpeed.nearest(to: speed.exactValue * exp2(-0.166)) == speed)
    }
    #expect(ISOSpeed.nearest(to: 1) == .first && ISOSpeed.nearest(to: 1e9) == .last && ISOSpeed.nearest(to: 0) == nil)
  }

  @Test func aNumberIsReadWithAndWithoutItsPrefix() throws {
    for speed in ISOSpeed.all { #expect(try ISOSpeed(parsing: speed.name) == speed) }
    #expect(try ISOSpeed(parsing: "ISO 1250").nominal == 1250)
    #expect(try ISOSpeed(parsing: "iso100") == .first)
  }

  @Test(arguments: [
    ("450", "there is no ISO 450 in the table; the nearest are 400 and 500"),
    ("50", "ISO 50 is beyond the table, which has ISO 100 to 12800"),
    ("25600", "ISO 25600 is beyond the table, which has ISO 100 to 12800"),
    ("fast", "'fast' is not an ISO speed; write it as in 100 or 1250"),
    ("", "'' is not an ISO speed"), ("iso", "'iso' is not an ISO speed"), ("-100", "'-100' is not an ISO speed"),
    ("99999999999999999999", "'99999999999999999999' is not an ISO speed"),
  ])
  func whatIsNotInTheTableIsRefusedInOneSentence(_ text: String, _ sentence: String) {
    let error = #expect(throws: CamrecError.self) { try ISOSpeed(parsing: text) }
    #expect(error?.code == .usage && error?.message.contains(sentence) == true, "\(error?.message ?? "")")
  }
}
