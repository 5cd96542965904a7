package import Frames
import Movies
import Platform
package import Recorder
package import RecorderAPI
import Telemetry
import Terminal

/// Reports to a person: each event, and the ledger at the end.
package final class HumanReporter: Reporter {
  private let isControlled: Bool
  private var output = ""
  private var hasSegments = false

  /// - Parameter isControlled: the recorder is to have a control socket. It may come later than the first sentence.
  package init(isControlled: Bool) { self.isControlled = isControlled }

  package func prepared(_ description: RecordingDescription) {
    output = description.output
    let lack = description.leavesOutAudio ? ", no audio: a hash recording has none" : ", no audio"
    let microphone = description.microphone.map { ", audio from \(HumanText.microphone($0))" } ?? lack
    let guess = description.isColorInGuessed ? " (a guess)" : ""
    let gpu = description.bakedOn.map { " on \($0)" } ?? ""
    say(
      "\(description.camera): \(description.width)x\(description.height) at \(description.frameRate) fps, "
        + "\(description.pixelFormat), \(description.colorIn)\(guess) to \(description.colorOut)\(gpu)\(microphone)")
    if let look = description.look { say(LookDescription.line(of: look)) }
    if let exposure = description.exposure { say("exposure: \(exposure)") }
    if let safety = description.safety, let bound = safety.lossBound {
      // An estimate: dark, noisy pictures fill the buffer faster.
      let bridged = HumanText.fixed(safety.bufferSeconds, safety.bufferSeconds < 3 ? 1 : 0)
      say(
        "safety: a crash costs at most \(HumanText.fixed(bound, 2)) s while the encoder keeps up; a stalled disk is "
          + "bridged for about \(bridged) s (\(HumanText.bytes(Int64(safety.bufferBytes))))")
    }
  }

  package func started(at time: MonotonicTime) {
    say(Console.error.redraws ? "recording to \(output); Ctrl-C stops" : "recording to \(output)")
  }

  /// The status line shows that.
  package func progressed(_ progress: SessionProgress) {}

  package func warned(_ sentence: String) { HumanText.warning(sentence) }

  package func remarked(_ remark: SessionRemark) {
    // The status line has the count.
    if remark.isRepeat, Console.error.redraws { return }
    if remark.isError {
      HumanText.error(remark.message)
    } else if remark.isWarning {
      HumanText.warning(remark.message)
    } else {
      say(remark.message)
    }
  }

  package func segmented(_ segment: FinishedSegment) {
    say("\(segment.path): \(HumanText.count(segment.frames, "frame")), \(HumanText.bytes(segment.bytes))")
    hasSegments = true
  }

  package func standsBy() {
    var ways: [String] = []
    if isControlled { ways.append("'camrec ctl start' starts a film") }
    if Console.error.redraws { ways.append("Ctrl-C ends camrec") }
    say("standing by" + (ways.isEmpty ? "" : "; ") + ways.joined(separator: ", "))
  }

  package func keeps(_ preRoll: PreRollDescription) { say(HumanText.preRoll(preRoll)) }

  package func refused(_ error: CamrecError) { HumanText.error(error) }

  package func stopped(_ summary: SessionSummary, status: ExitStatus) {
    // A session's last segment has been reported; the next session may have none.
    defer { hasSegments = false }
    if let movie = summary.movie, hasSegments {
      say(
        "\(HumanText.count(summary.segments, "file")), \(HumanText.count(movie.frames, "frame")), "
          + HumanText.bytes(movie.bytes))
    } else if let movie = summary.movie {
      say("\(movie.path): \(HumanText.count(movie.frames, "frame")), \(HumanText.bytes(movie.bytes))")
    } else {
      say(HumanText.withoutFilm(summary))
    }
    say("frames: \(HumanText.ledger(summary.counts))\(HumanText.repeats(summary.repeated))")
    if let sentence = HumanText.between(summary) { say(sentence) }
    if let sound = summary.sound {
      let stretch =
        sound.stretch == 0
        ? "" : ", stretched by \(HumanText.fixed(sound.stretch, 1)) ppm to the camera's clock at the end"
      say(
        "audio: \(HumanText.count(sound.frames, "sample")), \(HumanText.count(sound.overruns, "overrun")), "
          + "\(HumanText.count(sound.lostFrames, "sample")) lost\(stretch)")
    }
    if let failure = summary.soundFailure { say("audio is missing at the end: \(failure.description)") }
    if let failure = summary.failure { HumanText.error(failure) }
  }

  private func say(_ sentence: String) { HumanText.say(sentence) }
}
