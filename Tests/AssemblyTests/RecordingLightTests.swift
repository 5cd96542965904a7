import Assembly
import RecorderAPI
import Testing
import Triggers

@Suite struct RecordingLightTests {
  /// A change of the source ends a film while the next one starts.
  @Test func aStartIsDark_unlessTheFilmBeforeIsBeingFinished() {
    for isFinishing in [true, false] {
      func sign(_ phase: RecorderState.Phase) -> LightPattern.Sign {
        RecordingLight.sign(of: RecorderState(phase: phase), isFinishing: isFinishing)
      }
      let start: LightPattern.Sign = isFinishing ? .steady : .off
      #expect(sign(.starting) == start)
      #expect(sign(.recording) == .steady && sign(.stopping) == .steady && sign(.waiting) == .fault)
      #expect(sign(.standby) == .off && sign(.ended) == .off)
    }
  }
}
