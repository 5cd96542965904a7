import Audio
import Bake
import Cameras
import Frames
import Platform
import Synchronization

/// A session whose threads are running, held by its caller.
///
/// Thread: one at a time.
public final class RunningSession {
  public let session: RecordingSession
  private let writing = Writing()
  private let begin = MonotonicTime.now()
  private let ended = MonotonicSemaphore()
  private var reporter: ProgressReporter
  /// The threads that use the camera and the microphone.
  private let sound: WorkThread
  private let intake: FilmIntake
  private let bake: WorkThread
  private let writer: WorkThread
  private let controls: ControlAccount?
  private let safety: SafetyTimer

  /// - Parameters:
  ///   - predecessor: begins with the frame behind this one's last; `nil` with the next frame.
  ///   - atEnd: called on the write thread when the film is finished.
  init(_ session: RecordingSession, behind predecessor: RunningSession?, atEnd: @escaping @Sendable () -> Void) {
    self.session = session
    let parts = session.parts
    reporter = ProgressReporter(
      begin: begin, sampleRate: (parts.resampler?.outputFormat ?? parts.microphone?.format)?.sampleRate,
      isClip: parts.camera.format.isClip, isDivided: parts.segments != nil,
      hasFasterPreset: parts.hasFasterPreset)
    let writing = writing, ended = ended
    let hasSidecar = parts.openSidecar != nil || parts.standing != nil
    let controls = hasSidecar ? ControlAccount(of: parts.camera, withExposure: parts.exposure == nil) : nil
    self.controls = controls
    safety = SafetyTimer(session)
    if let trace = parts.trace, let exposure = session.source.exposure, exposure.trace !== trace {
      exposure.record(trace)
    }
    sound = WorkThread(name: "camrec-sound") { session.runSound() }
    intake = FilmIntake(session, controls)
    bake = WorkThread(name: "camrec-bake") { session.runBake() }
    writer = WorkThread(name: "camrec-write") {
      session.runWriting(writing)
      ended.signal()
      atEnd()
    }
    session.source.attach(intake, behind: predecessor?.intake)
  }

  /// Waits for the end, for at most this long.
  func hasEnded(within milliseconds: Int) -> Bool {
    guard ended.wait(within: Double(milliseconds) / 1000) else { return false }
    ended.signal()
    return true
  }

  /// Tells the observer what has happened since the last call.
  func report(to observer: any SessionObserver) { reporter.report(session, to: observer) }

  /// After a stop: waits until the last frame is captured.
  func waitForCapture() { intake.wait() }

  /// After a stop: waits until the microphone is free.
  func waitForSound() { sound.join() }

  /// After a stop: waits until the camera and the microphone are free; the film may still be being finished.
  func freeSource() {
    intake.wait()
    for thread in [bake, sound] { thread.join() }
    controls?.close()
    if session.source.endsWithFilm {
      session.source.close()
    } else if let trace = session.parts.trace {
      session.source.exposure?.endRecord(trace)
    }
    session.parts.trace?.takeSentences().forEach { session.state.warn($0) }
  }

  /// Waits for the film to be finished. Call once.
  func end(observer: any SessionObserver) -> SessionSummary {
    freeSource()
    writer.join()
    session.parts.baker.close()
    // A prepared film that never began.
    session.standing.takePrepared()?.file.discard()
    session.takePreparedFile()?.discard()
    session.end(writing)
    var summary = session.summary()
    summary.unreachedChapters = writing.unreached
    summary.storedSeconds = writing.last?.storedTicks.map { Double($0) * session.timeBase.doubleValue }
    reporter.report(session, to: observer, isEnd: true)
    return summary
  }
}
