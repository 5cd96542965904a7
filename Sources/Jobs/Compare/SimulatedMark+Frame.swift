package import Cameras
package import Frames

extension SimulatedMark {
  /// What the simulated camera has written into a frame; `nil` if nothing can be read.
  ///
  /// - Parameter luma: the frame's (`packedLuma`).
  package init?(of picture: borrowing Frame, luma: [UInt8]) {
    let reader = FrameNumberReader(width: picture.format.width, height: picture.format.height)
    guard let reading = unsafe luma.withUnsafeBytes({ unsafe reader.read(luma: $0) }) else { return nil }
    self = reading.mark
  }
}
