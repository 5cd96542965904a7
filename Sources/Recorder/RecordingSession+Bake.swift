import Bake
import Cameras
import Frames

extension RecordingSession {
  /// The bake thread: converts what is encoded, bakes, hands over to the writer.
  ///
  /// A further frame begins while others are underway only if it is there already: what is finished does not wait for
  /// what is still to come.
  func runBake() {
    var underway = FixedRing<Int64>(capacity: parts.baker.depth)
    while true {
      if underway.isEmpty {
        guard let job = bakeQueue.pop() else { break }
        begin(job, &underway)
      } else if underway.count < parts.baker.depth, let job = bakeQueue.poll() {
        begin(job, &underway)
      } else {
        finish(&underway)
      }
      if let warning = parts.baker.takeWarning() { state.warn(warning) }
    }
    writeQueue.endFrames()
  }

  private func begin(_ job: consuming CapturedJob, _ underway: inout FixedRing<Int64>) {
    let ticks = job.ticks
    do throws(CamrecError) {
      try parts.baker.begin(try picture(job.takeImage()))
      underway.append(ticks)
    } catch {
      lose(error)
    }
  }

  private func finish(_ underway: inout FixedRing<Int64>) {
    guard let ticks = underway.popFirst() else { return }
    do throws(CamrecError) {
      let baked = try parts.baker.finish()
      writeQueue.push(WriteQueue.TimedFrame(frame: baked, ticks: ticks, seconds: Double(ticks) * timeBase.doubleValue))
    } catch {
      lose(error)
    }
  }

  private func lose(_ error: CamrecError) {
    // An image that does not decode is the camera's error, and the next one may be well.
    if error.code == .device {
      ledger.lost(.deviceError)
    } else {
      ledger.lost(.defect)
      state.fail(error)
    }
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
