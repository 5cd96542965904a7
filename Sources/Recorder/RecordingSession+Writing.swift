import Audio
import Frames
import Movies
import Sidecar

/// What the write thread leaves behind. `@unchecked Sendable`: written on that thread, read after it was joined.
final class Writing: @unchecked Sendable {
  var report: MovieReport?
  var sidecar: SidecarWriter?
}

extension RecordingSession {
  /// The write thread: the only one that touches the sink.
  func runWriting(_ writing: Writing) {
    var sink: (any MovieSink)?
    // After a failed write the sink gets nothing more: what it has stays playable.
    var failure: LossReason?
    while let item = writeQueue.pop() {
      switch consume item {
      case .frame(let timed):
        let ticket = timed.ticket
        if let failure {
          lose(failure, ticket.index)
          continue
        }
        do throws(CamrecError) {
          if sink == nil {
            sink = try openSink()
            writing.sidecar = openSidecar()
          }
          if let sink { try write(timed, to: sink) }
          if let sidecar = writing.sidecar {
            pass(to: sidecar)
            sidecar.append(.frame(ticket))
          }
        } catch {
          // Only what the output refuses is the disk's loss.
          let reason: LossReason = error.code == .output ? .disk : .defect
          failure = reason
          lose(reason, ticket.index)
          state.fail(error)
        }
      case .sound(let timed):
        do throws(CamrecError) {
          try write(timed, to: failure == nil ? sink : nil)
        } catch {
          failure = error.code == .output ? .disk : .defect
          state.fail(error)
        }
      }
      if let sidecar = writing.sidecar { pass(to: sidecar) }
      if let sink { state.wrote(bytes: sink.bytesWritten) }
    }
    if let sink { writing.report = finish(sink) }
  }

  /// Closes the movie; where the last frames no longer fit, what it holds is reported all the same. `nil`: nothing.
  private func finish(_ sink: any MovieSink) -> MovieReport? {
    for _ in 0..<2 {
      do throws(CamrecError) {
        let report = try sink.finish(at: state.endTicks)
        report.warnings.forEach(state.warn)
        settle(stored: Int(report.frames))
        return report.frames > 0 ? report : nil
      } catch {
        state.fail(error)
      }
    }
    settle(stored: 0)
    return nil
  }

  private func settle(stored: Int) {
    let absent = ledger.settle(stored: stored)
    if absent > 0 { notes?.add(.frameLoss(.disk, frame: nil, count: Int64(absent))) }
  }

  private func openSink() throws(CamrecError) -> any MovieSink {
    let sink = try parts.openSink(clock.reading?.origin ?? MonotonicTime.now())
    state.beganMovie()
    return sink
  }

  private func write(_ timed: consuming WriteQueue.TimedFrame, to sink: any MovieSink) throws(CamrecError) {
    let ticks = timed.ticket.ticks
    try sink.write(timed.frame, at: ticks)
    ledger.written()
  }

  /// Leaves out what lies behind the picture's end, and gives the buffer back to the sound thread.
  private func write(_ timed: consuming WriteQueue.TimedSound, to sink: (any MovieSink)?) throws(CamrecError) {
    let start = timed.seconds
    var buffer = timed.buffer
    if !keepsWholeSound, let end = state.endSeconds {
      buffer.count = min(buffer.count, max(0, Int(((end - start) * Double(buffer.format.sampleRate)).rounded())))
    }
    var failure: CamrecError?
    if let sink, buffer.count > 0 {
      do throws(CamrecError) {
        try sink.write(buffer)
        state.wrote(soundFrames: buffer.count)
      } catch {
        failure = error
      }
    }
    buffer.count = 0
    // Always fits: the queue holds every buffer there is.
    _ = freeSound.offer(buffer)
    if let failure { throw failure }
  }
}
