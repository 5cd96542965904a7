public import Frames

/// Encodes frames as images, for a simulated camera that delivers `mjpeg`. Thread: one at a time.
public protocol ImageEncoder: AnyObject, Sendable {
  /// Encodes `frame` into `target`, which has room for the uncompressed frame.
  ///
  /// - Returns: bytes written.
  /// - Throws: code `defect` when the encoder fails or the image does not fit.
  func encode(_ frame: borrowing Frame, into target: UnsafeMutableRawBufferPointer) throws(CamrecError) -> Int
}
