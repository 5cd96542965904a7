public import Frames

extension MovieSettings {
  /// Refuses, for every sink, a frame of another size or layout, and a frame that is not later than the one before.
  ///
  /// - Throws: code `defect`.
  public func check(_ frame: FrameFormat, at time: Int64, after lastTime: Int64?) throws(CamrecError) {
    guard frame.layout == format.layout, frame.width == format.width, frame.height == format.height else {
      throw CamrecError(
        .defect,
        "'\(path)' was given a \(frame.width)x\(frame.height) \(frame.layout.rawValue) frame, but it takes "
          + "\(format.width)x\(format.height) \(format.layout.rawValue)")
    }
    if let lastTime, time <= lastTime {
      throw CamrecError(.defect, "a frame at tick \(time) came after one at tick \(lastTime)")
    }
  }
}
