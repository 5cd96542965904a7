package import Frames
import Platform
package import Recorder
import Reporting
import Synchronization

/// A recorder that stands by and records nothing, for somebody who only looks at a camera.
///
/// Thread: any.
package final class LookingRecorder: Sendable {
  package let service: RecorderService
  private let thread: WorkThread

  /// - Throws: what is wrong with the settings without a camera.
  package init(_ settings: RecordingSettings, among providers: CameraProviders = .standard) throws(CamrecError) {
    var settings = settings
    settings.microphone = .none
    let service = RecorderService(RecorderSettings(exposure: settings.exposure), standsBy: true, looksOnly: true)
    let ready = MonotonicSemaphore(), refusal = Refusal(), chosen = settings
    thread = WorkThread(name: "camrec-recorder") {
      let reporter = SilentReporter()
      do throws(CamrecError) {
        let films = try RecordedFilms(chosen, among: providers, reporter: reporter)
        ready.signal()
        try service.run(films, observer: reporter)
      } catch {
        refusal.error.withLock { $0 = error }
        ready.signal()
      }
    }
    self.service = service
    ready.wait()
    if let error = refusal.error.withLock({ $0 }) { throw error }
  }

  private final class Refusal: Sendable { let error = Mutex<CamrecError?>(nil) }

  /// Closes the camera, and puts back its settings.
  package func close() {
    service.requestStop()
    thread.join()
  }
}
