import CFFmpeg
import Frames

extension ClipReader {
  /// Frames from one of the file's to another, both included, if those that are missing between them are repeated.
  ///
  /// - Parameters:
  ///   - first: how many of the file's frames lie before it.
  ///   - count: the file's own frames.
  ///   - longest: the longest gap that is filled, in seconds.
  /// - Returns: `nil` if the file does not list its frames, or lists fewer.
  func filledFrames(from first: Int, count: Int, longest: Double) -> Int? {
    guard let listed = listedPackets, first >= 0, count > 0, count <= listed - first else { return nil }
    let rate = frameRate.framesPerSecond, tick = timeBase.doubleValue
    var frames = 1, last: Int64?
    for index in first..<first + count {
      guard let entry = avformat_index_get_entry(stream, Int32(index)) else { return nil }
      let time = entry.pointee.timestamp
      if let last {
        let seconds = Double(time.subtractingSaturated(last)) * tick
        let missing = seconds <= longest ? Int(saturating: (seconds * rate).rounded()) - 1 : 0
        frames += 1 + max(0, missing)
      }
      last = time
    }
    return frames
  }
}
