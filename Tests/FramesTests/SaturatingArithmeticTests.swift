import Frames
import Testing

@Suite struct SaturatingArithmeticTests {
  @Test func whatIsTooLargeIsTheLargest() {
    #expect(Int64.max.addingSaturated(1) == .max && Int64.min.addingSaturated(-1) == .min)
    #expect(Int64.min.subtractingSaturated(1) == .min && Int64.max.subtractingSaturated(-1) == .max)
    #expect(Int64(0).subtractingSaturated(.min) == .max)
    #expect(Int64.max.multipliedSaturated(by: 2) == .max && Int64.max.multipliedSaturated(by: -2) == .min)
    #expect(Int64.min.multipliedSaturated(by: -1) == .max)
    #expect(UInt8(250).addingSaturated(10) == 255 && UInt8(1).subtractingSaturated(2) == 0)
    #expect(Int64(3).addingSaturated(4) == 7 && Int64(3).subtractingSaturated(4) == -1)
    #expect(Int64(-3).multipliedSaturated(by: 4) == -12)
  }

  @Test func whatIsNotANumberIsNothing() {
    #expect(Int64(saturating: .nan) == 0)
    #expect(Int64(saturating: .infinity) == .max && Int64(saturating: -1e300) == .min)
    #expect(Int64(saturating: 9.3e18) == .max && Int64(saturating: -2.9) == -2 && Int64(saturating: 2.9) == 2)
    #expect(UInt64(saturating: -1) == 0)
  }

  @Test func timesOfABrokenClockDoNotTrap() {
    let last = MonotonicTime(nanoseconds: .max), first = MonotonicTime(nanoseconds: .min)
    #expect(last.advanced(by: 1) == last && last - first == .max && first - last == .min)
  }
}
