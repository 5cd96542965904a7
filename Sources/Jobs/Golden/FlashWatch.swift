import Cameras
import Color
package import Frames
import Goldens
import Synchronization

/// Looks for flashes in frames before the encoder: after it they may depend on its version.
///
/// Thread: any, one at a time.
package final class FlashWatch: Sendable {
  private let state = Mutex<(search: FlashSearch, start: Double?)>((FlashSearch(), nil))

  /// - Parameter seconds: the frame's time.
  package func take(_ picture: borrowing Frame, at seconds: Double) {
    let luma = picture.packedLuma()
    let mean = Double(luma.reduce(0) { $0 + Int($1) }) / Double(255 * luma.count)
    let mark = SimulatedMark(of: picture, luma: luma)?.flash
    state.withLock { state in
      let start = state.start ?? seconds
      state.start = start
      state.search.take(luma: mean, mark: mark, at: seconds - start)
    }
  }

  /// Times in seconds from the first frame, rising.
  package var flashes: [Double] { state.withLock { $0.search.flashes } }
}
