package import Frames
import Movies
import Platform
package import Recorder
package import RecorderAPI
import Telemetry
import Terminal

/// Reports the bake of a clip to a person: its input and output, and the ledger at the end.
package final class BakeReporter: Reporter {
  private let progress: (line: WorkProgress, extent: BakeExtent)?
  private var output = ""

  package init(progress: (line: WorkProgress, extent: BakeExtent)? = nil) { self.progress = progress }

  package func prepared(_ description: RecordingDescription) {
    output = description.output
    let guess = description.isColorInGuessed ? " (a guess)" : ""
    let gpu = description.bakedOn.map { " on \($0)" } ?? ""
    let lack = description.leavesOutAudio ? ", without its audio: a hash recording has none" : ", no audio"
    HumanText.say(
      "\(description.camera): \(description.width)x\(description.height) at \(description.frameRate) fps, "
        + "\(description.pixelFormat), \(description.colorIn)\(guess) to \(description.colorOut)\(gpu)"
        + (description.microphone == nil ? lack : ", with its audio"))
    if let look = description.look { HumanText.say(LookDescription.line(of: look)) }
  }

  package func started(at time: MonotonicTime) {
    HumanText.say(Console.error.redraws ? "baking to \(output); Ctrl-C stops" : "baking to \(output)")
  }

  package func progressed(_ progress: SessionProgress) {
    if let (line, extent) = self.progress { line.reach(extent.done(progress)) }
  }

  package func warned(_ sentence: String) { HumanText.warning(sentence) }

  package func remarked(_ remark: SessionRemark) {
    if remark.isError {
      HumanText.error(remark.message)
    } else if remark.isWarning {
      HumanText.warning(remark.message)
    } else {
      HumanText.say(remark.message)
    }
  }

  package func refused(_ error: CamrecError) {
    progress?.line.close()
    HumanText.error(error)
  }

  package func stopped(_ summary: SessionSummary, status: ExitStatus) {
    progress?.line.close()
    if let movie = summary.movie {
      HumanText.say("\(movie.path): \(HumanText.count(movie.frames, "frame")), \(HumanText.bytes(movie.bytes))")
    } else {
      HumanText.say("no film was made")
    }
    let counts = summary.counts
    HumanText.say(
      "frames: expected \(counts.expected), read \(counts.captured), written \(counts.written), "
        + HumanText.losses(words: { $0.words.fate(isClip: true) }) { Int64(counts.lost($0)) }
        + HumanText.repeats(summary.repeated)
        + BakeReporter.discarded(Int64(summary.discardedFrames), "frame"))
    if let sound = summary.sound {
      let silent = summary.discardedSamples == 0 ? sound.lostFrames - sound.refusedFrames : 0
      HumanText.say(
        "audio: \(HumanText.count(sound.frames, "sample"))"
          + (silent == 0 ? "" : "; \(HumanText.count(silent, "missing sample")) replaced by silence")
          + (sound.refusedFrames == 0 ? "" : "; \(HumanText.count(sound.refusedFrames, "sample")) lost to the disk")
          + BakeReporter.discarded(summary.discardedSamples, "sample"))
    }
    if let failure = summary.soundFailure { HumanText.say("the audio ended early: \(failure.description)") }
    summary.remarks.forEach(remarked)
    if let failure = summary.failure { HumanText.error(failure) }
  }

  private static func discarded(_ count: Int64, _ what: String) -> String {
    count == 0 ? "" : "; \(HumanText.count(count, what)) discarded with the unfinished film"
  }
}
