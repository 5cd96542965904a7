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

  /// A kill soon after it has gone finds the silence in the film, and its account. The picture's last frame begins at
  /// sample 94 000; sound that the offset brings forward by half a second would return half a second before.
  @Test(arguments: [(Int64(0), 94_000, 144_000), (-500_000_000, 70_000, 168_000)])
  func silenceIsLaidFromTheFirstLookThatFindsNoMicrophone(offset: Int64, end: Int, lost: Int) throws {
    // A block that is not full yet has not been written.
    let sink = CollectingSink(), microphone = LeavingMicrophone(sink, enough: end - 4000)
    let outcome = try RecordingSessionTests.record(
      [.frames(48), .action { microphone.performScript() }, .frames(48)],
      options: SessionOptions(overload: .wait, audioOffset: offset), sink: sink, microphone: microphone,
      resampler: CountingResampler())
    #expect((end - 4000...end).contains(microphone.laid), "it does not wait for two seconds: \(microphone.laid)")
    let sound = try #require(outcome.summary.sound)
    #expect(outcome.contents.audioFrames == 192_000 && sound.frames == 192_000)
    #expect(abs(Int(sound.lostFrames) - lost) < 100 && sound.overruns == 1 && outcome.summary.soundFailure != nil)
  }
}

/// Delivers a second of sound once the camera permits it, and goes for good.
private final class LeavingMicrophone: Microphone {
  let name = "leaving microphone"
  let format = AudioFormat.standard
  let isPulled = false
  private let sink: CollectingSink
  private let enough: Int
  private let permitted = MonotonicSemaphore(), looked = MonotonicSemaphore()
  private let state = Mutex((position: 0, looks: 0, laid: 0))

  /// - Parameter enough: samples in the film for which the second look waits, in vain for ten seconds at most.
  init(_ sink: CollectingSink, enough: Int) {
    self.sink = sink
    self.enough = enough
  }

  /// Samples in the film at the second look for the microphone.
  var laid: Int { state.withLock { $0.laid } }

  /// The camera's thread: waits for the second look.
  func performScript() {
    permitted.signal()
    looked.wait()
  }

  func start() throws(CamrecError) {}
  func stop() {}

  func reopen() throws(CamrecError) {
    let look = state.withLock { state in
      state.looks += 1
      return state.looks
    }
    if look == 2 {
      // Another thread writes what was handed over behind the first look.
      var reads = 0
      while sink.contents.audioFrames < enough, reads < 5000 {
        WorkThread.sleep(.milliseconds(2))
        reads += 1
      }
      // Time for more than it should be.
      WorkThread.sleep(.milliseconds(50))
      let laid = sink.contents.audioFrames
      state.withLock { $0.laid = laid }
      looked.signal()
    }
    throw CamrecError(.device, "\(name) is unplugged")
  }

  func read(into buffer: inout AudioBuffer) throws(CamrecError) -> Bool {
    permitted.wait()
    permitted.signal()
    let first = state.withLock { state in
      defer { state.position += 480 }
      return state.position
    }
    guard first < 48_000 else { throw CamrecError(.device, "\(name) was unplugged") }
    buffer.lostBefore = 0
    buffer.count = 480
    buffer.time = ScriptedCamera.origin.advanced(by: Int64(Double(first) / 48_000 * 1e9))
    return true
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
