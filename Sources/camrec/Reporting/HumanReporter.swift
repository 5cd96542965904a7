import Frames
import Movies
import Recorder
import Telemetry
import Terminal

/// Reports to a person: what happens, and the ledger at the end.
final class HumanReporter: Reporter {
  private let progress: WorkProgress?
  private var output = ""
  private var hasSegments = false

  /// - Parameter progress: of a clip; a recorder has its `StatusDisplay`.
  init(progress: WorkProgress? = nil) { self.progress = progress }

  func prepared(_ description: RecordingDescription) {
    output = description.output
    let microphone =
      switch description.microphone {
      case let name? where name.hasPrefix("sound of "): ", \(name)"
      case let name?: ", sound from \(name)"
      case nil: ", no sound"
      }
    let guess = description.isColorInGuessed ? " (a guess)" : ""
    let gpu = description.bakedOn.map { " on \($0)" } ?? ""
    say(
      "\(description.camera): \(description.width)x\(description.height) at \(description.frameRate) fps, "
        + "\(description.pixelFormat), \(description.colorIn)\(guess) to \(description.colorOut)\(gpu)\(microphone)")
    if let exposure = description.exposure { say("exposure: \(exposure)") }
    if let safety = description.safety, let bound = safety.lossBound {
      say(
        "safety: on the disk within \(HumanText.fixed(bound, 2)) s; while the disk takes nothing, "
          + "\(HumanText.bytes(Int64(safety.bufferBytes))) wait (\(HumanText.fixed(safety.bufferSeconds, 1)) s)")
    }
  }

  func started(at time: MonotonicTime) {
    say(Console.error.redraws ? "recording to \(output); Ctrl-C stops" : "recording to \(output)")
  }

  func progressed(_ progress: SessionProgress) { self.progress?.reach(progress.counts.captured) }

  func warned(_ sentence: String) { HumanText.warning(sentence) }

  func remarked(_ remark: SessionRemark) {
    // The status line has the count.
    if remark.isRepeat, Console.error.redraws { return }
    if remark.isError {
      HumanText.error(remark.sentence)
    } else if remark.isWarning {
      HumanText.warning(remark.sentence)
    } else {
      say(remark.sentence)
    }
  }

  func segmented(_ segment: FinishedSegment) {
    say("\(segment.path): \(segment.frames) frames, \(HumanText.bytes(segment.bytes))")
    hasSegments = true
  }

  func standsBy() {
    say("standing by; 'camrec ctl start' begins a film\(Console.error.redraws ? ", Ctrl-C ends" : "")")
  }

  func keeps(_ preRoll: PreRollDescription) { say(HumanText.preRoll(preRoll)) }

  func refused(_ error: CamrecError) {
    progress?.close()
    HumanText.error(error)
  }

  func stopped(_ summary: SessionSummary, status: ExitStatus) {
    progress?.close()
    if let movie = summary.movie, hasSegments {
      say("\(summary.segments) files, \(movie.frames) frames, \(HumanText.bytes(movie.bytes))")
    } else if let movie = summary.movie {
      say("\(movie.path): \(movie.frames) frames, \(HumanText.bytes(movie.bytes))")
    } else {
      say(HumanText.withoutFilm(summary))
    }
    say("frames: \(HumanText.ledger(summary.counts))")
    if let sound = summary.sound {
      let stretch =
        sound.stretch == 0 ? "" : ", stretched by \(HumanText.fixed(sound.stretch, 1)) ppm to the picture's clock"
      say("sound: \(sound.frames) samples, \(sound.overruns) overruns, \(sound.lostFrames) samples lost\(stretch)")
    }
    if let failure = summary.soundFailure { say("sound ended before the picture: \(failure.description)") }
    if let failure = summary.failure { HumanText.error(failure) }
  }

  private func say(_ sentence: String) { HumanText.write(sentence + "\n") }
}
