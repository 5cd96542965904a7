import Exposure
import Testing

struct ExposureSettingTests {
  @Test func doubledTimeAndOneMoreEVOfGainAreTheSame() {
    let base = ExposureSetting(exposureTime: 0.01, gain: 1)
    let longer = ExposureSetting(exposureTime: 0.02, gain: 1)
    let louder = ExposureSetting(exposureTime: 0.01, gain: 2)
    #expect(abs(longer.exposure - base.exposure - 1) < 1e-12)
    #expect(abs(louder.exposure - longer.exposure) < 1e-12)
  }
}
