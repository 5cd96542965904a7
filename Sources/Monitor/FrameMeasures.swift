package import Frames
final class FrameMeasures {
  struct Histogram { var luma: [UInt32], red: [UInt32], green: [UInt32], blue: [UInt32] }
  let source: FrameFormat
  init(_ source: FrameFormat) throws(CamrecError) { self.source = source }
  func histogram(of frame: borrowing Frame) -> Histogram { preconditionFailure() }
}
