import Frames
import Platform
import Synchronization

/// A command for the recorder's thread; its sender can wait for the answer.
final class RecorderErrand: Sendable {
  enum Task: Hashable, Sendable {
    /// `origin`, of each: who asks for it, for the sidecars; `nil` if that is not to be noted.
    case stop(origin: String?), quit(origin: String?)
    /// `at`: the film begins with the first frame captured then or later; `nil` with the next one.
    case start(at: MonotonicTime?)
    /// Somebody wants to look: the camera runs afterwards.
    case look
    case source(SourceChange, origin: String?)
    /// In standby: checks whether a film can be made with this exposure.
    case check(ExposureOptions)
  }

  let task: Task
  private let failure = Mutex<CamrecError?>(nil)
  private let done = MonotonicSemaphore()

  init(_ task: Task) { self.task = task }

  func finish(_ error: CamrecError? = nil) {
    failure.withLock { $0 = error }
    done.signal()
  }

  func wait() throws(CamrecError) {
    done.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
