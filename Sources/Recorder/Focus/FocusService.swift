public import Cameras
public import Frames
import Platform
public import RecorderAPI

/// The focus of a running camera: searched for on request, then held until it is released.
///
/// A separate thread asks the camera about its progress, so that nobody waits for a lens. The focus and the exposure
/// are locked independently. The held focus survives a change of camera or format (`pause` before it, `resume` after
/// it).
///
/// Thread: any; calls that set something wait for each other and for the camera, `status` and `failure` do not wait.
public final class FocusService: Sendable {
  private let search: FocusSearch
  private let thread: WorkThread

  /// Between two questions about the camera's progress: the step in which `FocusSequence` counts.
  static let pause = Duration.milliseconds(100)

  /// - Parameters:
  ///   - controls: the controls of the open camera; `nil` while none is open.
  ///   - warn: called with sentences for people, on any thread.
  public init(_ controls: (any CameraControls)?, warn: @escaping @Sendable (String) -> Void = { _ in }) {
    let search = FocusSearch(controls, warn: warn)
    self.search = search
    thread = WorkThread(name: "camrec-focus") {
      while search.bell.pop() != nil {
        repeat { WorkThread.sleep(FocusService.pause) } while search.step()
      }
    }
  }

  deinit { close() }

  /// Begins a search for the focus; `status` reports its progress. The focus found is held.
  ///
  /// - Parameter point: fractions of the frame's width and height, 0…1 from the upper left corner. A camera without a
  ///   focus point chooses its own, with one warning.
  /// - Throws: code `usage` for a point outside the frame, or if no camera is open; code `device` if the camera has no
  ///   autofocus or refuses.
  public func begin(at point: (x: Double, y: Double)? = nil) throws(CamrecError) { try search.begin(at: point) }

  /// Releases the focus: continuous autofocus resumes.
  ///
  /// - Throws: the errors of `begin`.
  public func release() throws(CamrecError) { try search.release() }

  /// The camera is about to be closed: nothing is asked of it until `resume`.
  public func pause() { search.pause() }

  /// After a change of camera or format: the same camera returns to its distance; another one searches again if the
  /// focus was held or being searched for.
  ///
  /// - Throws: code `device` if the new camera has no autofocus or refuses; the focus has then failed.
  public func resume(_ controls: any CameraControls) throws(CamrecError) { try search.resume(controls) }

  public var status: RecorderState.Focus { search.status.focus }

  /// Why the last search failed; `nil` if it did not.
  public var failure: String? { search.status.failure }

  /// Ends the thread; a held focus stays held until the controls are restored.
  public func close() {
    search.pause()
    search.bell.close()
    thread.join()
  }
}
