import Bake
import Cameras
import Frames
import Platform
import Sidecar

extension RecordingSession {
  /// The bake thread: converts encoded images, bakes, and hands the frames to the writer.
  ///
  /// While frames are underway, another one begins only if it has already arrived: finished frames never wait for
  /// frames still to come.
  func runBake() {
    var underway = FixedRing<FrameTicket>(capacity: parts.baker.depth)
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

  private func begin(_ job: consuming CapturedJob, _ underway: inout FixedRing<FrameTicket>) {
    var ticket = job.ticket
    ticket.before = ticket.before + ledger.entries(of: .bakeBegin)
    if let effort = parts.effort { parts.baker.limitWorkers(to: effort.workers) }
    let sequence = job.frame.sequence, told = job.frame.exposure
    do throws(CamrecError) {
      let frame = try picture(job.takeImage())
      if parts.converter != nil, let exposure = parts.exposure {
        ticket.frame.exposure = exposure.see(frame, sequence: sequence, told: told, warn: state.warn)
      }
      try parts.baker.begin(frame, number: ticket.frame.index)
      underway.append(ticket)
    } catch {
      lose(error, ticket, at: .bakeBegin)
    }
  }

  private func finish(_ underway: inout FixedRing<FrameTicket>) {
    guard var ticket = underway.popFirst() else { return }
    ticket.before = ticket.before + ledger.entries(of: .bakeEnd)
    do throws(CamrecError) {
      let baked = try parts.baker.finish()
      // A film that is being finished has older frames than the one that follows it.
      if !state.isStopping {
        source.tap.baked.offer(
          baked, sequence: ticket.frame.sequence, index: ticket.frame.index, captureTime: ticket.captureTime,
          exposure: ticket.frame.exposure)
      }
      writeQueue.push(
        WriteQueue.TimedFrame(frame: baked, ticket: ticket, seconds: Double(ticket.frame.ticks) * timeBase.doubleValue))
    } catch {
      lose(error, ticket, at: .bakeEnd)
    }
  }

  private func lose(_ error: CamrecError, _ ticket: FrameTicket, at stage: FrameLedger.Stage) {
    // An image that does not decode is the camera's error; the next one may be fine.
    if error.code == .device {
      lose(.deviceError, ticket.frame.index, at: stage)
    } else {
      lose(.defect, ticket.frame.index, at: stage)
      state.fail(error)
    }
  }

  private func picture(_ image: consuming CapturedImage) throws(CamrecError) -> Frame {
    switch consume image {
    case .frame(let frame): return frame
    case .encoded(let encoded):
      guard let converter = parts.converter else {
        throw CamrecError(.defect, "an encoded image arrived, but there is no converter")
      }
      return try converter.convert(encoded)
    }
  }
}
