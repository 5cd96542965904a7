import Audio
import CameraTestKit
import Frames
import MovieTestKit
import Platform
import Recorder
import Synchronization
import Testing

/// A microphone that goes and returns while its camera delivers nothing.
struct SoundBreakTests {
  /// Sound from before the absence still waits for its picture when the microphone is back.
  @Test func soundBehindAnAbsenceLiesAtItsOwnTime() throws {
    let microphone = ReturningMicrophone()
    let outcome = try RecordingSessionTests.record(
      [.frames(48), .action { microphone.performScript() }, .gap(72), .frames(48)], microphone: microphone,
      resampler: CountingResampler())
    let sound = try #require(outcome.summary.sound)
    #expect(outcome.contents.audioFrames == 336_000 && sound.frames == 336_000)
    let lost = ReturningMicrophone.back - ReturningMicrophone.gone
    #expect(abs(Int(sound.lostFrames) - lost) < 100 && sound.overruns == 1)
    let remark = try #require(outcome.notes.remarks.first { $0.facts["reason"] == "sound" })
    let place = try #require(remark.facts["sample"].flatMap { Int($0) })
    #expect(abs(place - ReturningMicrophone.gone) < 100, "silence stands where the microphone was away: \(remark)")
  }
}

/// Plays its script only once the camera permits it: sound until it goes, and from its return on.
private final class ReturningMicrophone: Microphone {
  /// In samples: the last sound before the absence, the first one behind it, and the end.
  static let gone = 101_760, back = 192_000, end = 384_000
  /// By then, more has come than waits for a picture.
  private static let enough = 312_000

  let name = "returning microphone"
  let format = AudioFormat.standard
  let isPulled = false
  private let permitted = MonotonicSemaphore(), delivered = MonotonicSemaphore()
  private let position = Mutex(0)

  /// The camera's thread: waits until sound from behind the absence had to be laid without a picture.
  func performScript() {
    permitted.signal()
    delivered.wait()
  }

  func start() throws(CamrecError) {}
  func stop() {}
  func reopen() throws(CamrecError) {}

  func read(into buffer: inout AudioBuffer) throws(CamrecError) -> Bool {
    permitted.wait()
    permitted.signal()
    let first = position.withLock { position in
      let first = position
      position = first == Self.gone ? Self.back : min(first + 480, Self.end)
      return first
    }
    if first == Self.gone { throw CamrecError(.device, "\(name) was unplugged") }
    if first == Self.enough { delivered.signal() }
    buffer.lostBefore = 0
    buffer.count = first < Self.end ? 480 : 0
    buffer.time = ScriptedCamera.origin.advanced(by: Int64(Double(first) / 48_000 * 1e9))
    if first == Self.end { WorkThread.sleep(.milliseconds(20)) }
    return true
  }
}
