import Bake
import Cameras
import Frames

extension RecordingSession {
  /// The bake thread: converts what is encoded, bakes, hands over to the writer.
  func runBake() {
    while let job = bakeQueue.pop() {
      let ticks = job.ticks
      do throws(CamrecError) {
        let baked = try parts.baker.bake(try picture(job.takeImage()))
        writeQueue.push(
          WriteQueue.TimedFrame(frame: baked, ticks: ticks, seconds: Double(ticks) * timeBase.doubleValue))
      } catch {
        // An image that does not decode is the camera's error, and the next one may be well.
        if error.code == .device {
          ledger.lost(.deviceError)
        } else {
          ledger.lost(.defect)
          state.fail(error)
        }
      }
    }
    writeQueue.endFrames()
  }

  private func picture(_ image: consuming CapturedImage) throws(CamrecError) -> Frame {
    switch consume image {
    case .frame(let frame): return frame
    case .encoded(let encoded):
      guard let converter = parts.converter else {
        throw CamrecError(.defect, "an encoded image arrived and no converter was given")
      }
      return try converter.convert(encoded)
    }
  }
}
