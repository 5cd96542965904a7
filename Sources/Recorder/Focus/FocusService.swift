public import Cameras
public import Frames

/// The focus of a running camera: looked for when somebody asks, then held until it is released.
///
/// It has a thread of its own that asks the camera how far it is, so that nobody waits for a lens. The hold is the
/// focus's own: exposure's lock does not touch it, nor it that one, and it survives a switch of camera or format
/// (`pause` before, `resume` behind it).
///
/// Thread: any; calls that set something wait for each other and for the camera, `status` and `failure` for nobody.
public final class FocusService: Sendable {
  private let search: FocusSearch
  private let thread: WorkThread

  /// Between two questions how far the camera is: what `FocusSequence` counts in.
  static let pause = Duration.milliseconds(100)

  /// - Parameters:
  ///   - controls: of the camera that is open; `nil` as long as none is.
  ///   - warn: is given sentences for people, on any thread.
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

  /// Begins to look for the focus; `status` says how it goes. What was found is held.
  ///
  /// - Parameter point: parts of the picture's width and height, 0…1 from the upper left corner. A camera that cannot
  ///   be told looks where it likes, which is said once.
  /// - Throws: code `usage` for a point beside the picture, and while no camera is open; code `device` where the camera
  ///   has no autofocus or refuses.
  public func begin(at point: (x: Double, y: Double)? = nil) throws(CamrecError) { try search.begin(at: point) }

  /// Gives the focus back: a continuous autofocus goes on.
  ///
  /// - Throws: as `begin`.
  public func release() throws(CamrecError) { try search.release() }

  /// The camera is about to be closed: nothing is asked of it until `resume`.
  public func pause() { search.pause() }

  /// After a switch: the same camera takes its distance again, another one looks anew where one was held or looked for.
  ///
  /// - Throws: code `device` where the new camera has no autofocus or refuses; the focus has then failed.
  public func resume(_ controls: any CameraControls) throws(CamrecError) { try search.resume(controls) }

  public var status: RecorderState.Focus { search.status.focus }

  /// Why the last search failed; `nil` where none has.
  public var failure: String? { search.status.failure }

  /// Ends the thread; what is held stays held until the controls are put back.
  public func close() {
    search.pause()
    search.bell.close()
    thread.join()
  }
}
