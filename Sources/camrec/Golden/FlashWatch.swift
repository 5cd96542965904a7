import Cameras
import Color
import Frames
import Goldens
import Synchronization

/// Looks for flashes in pictures on their way to the encoder: behind it they may be others with another version of that.
///
/// Thread: any, one at a time.
final class FlashWatch: Sendable {
  private let state = Mutex<(search: FlashSearch, start: Double?)>((FlashSearch(), nil))

  /// - Parameter seconds: when it shows.
  func take(_ picture: borrowing Frame, at seconds: Double) {
    let luma = picture.packedLuma()
    let mean = Double(luma.reduce(0) { $0 + Int($1) }) / Double(255 * luma.count)
    let mark = SimulatedMark(of: picture, luma: luma)?.flash
    state.withLock { state in
      let start = state.start ?? seconds
      state.start = start
      state.search.take(luma: mean, mark: mark, at: seconds - start)
    }
  }

  /// In seconds from the first picture on, rising.
  var flashes: [Double] { state.withLock { $0.search.flashes } }
}
