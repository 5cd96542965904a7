import Foundation
import Frames
import Movies
import Recorder

/// Reports to a person: a line that renews itself where standard error is a terminal, and the ledger at the end.
final class HumanReporter: Reporter {
  private let isTerminal = isatty(FileHandle.standardError.fileDescriptor) == 1
  private var bitrate = BitrateMeter()
  private var output = ""
  private var hasLine = false
  private var hasSegments = false

  func prepared(_ description: RecordingDescription) {
    output = description.output
    let microphone = description.microphone.map { ", sound from \($0)" } ?? ", no sound"
    let gpu = description.bakedOn.map { " on \($0)" } ?? ""
    say(
      "\(description.camera): \(description.width)x\(description.height) at \(description.frameRate) fps, "
        + "\(description.pixelFormat), \(description.colorIn) to \(description.colorOut)\(gpu)\(microphone)")
    if let exposure = description.exposure { say("exposure: \(exposure)") }
    if let safety = description.safety, let bound = safety.lossBound {
      say(
        "safety: on the disk within \(HumanText.fixed(bound, 2)) s; while the disk takes nothing, "
          + "\(HumanText.bytes(Int64(safety.bufferBytes))) wait (\(HumanText.fixed(safety.bufferSeconds, 1)) s)")
    }
  }

  func started(at time: MonotonicTime) {
    say(isTerminal ? "recording to \(output); Ctrl-C stops" : "recording to \(output)")
  }

  func progressed(_ progress: SessionProgress) {
    let rate = bitrate.megabitsPerSecond(bytes: progress.bytes, seconds: progress.seconds)
    guard isTerminal else { return }
    // To the start of the line, and after the text clear what the last one left.
    HumanText.write(
      "\r"
        + ProgressLine.text(
          progress, megabitsPerSecond: rate, freeBytes: FreeSpace.bytes(beside: output), columns: columns)
        + "\u{1B}[K")
    hasLine = true
  }

  func warned(_ sentence: String) {
    endLine()
    HumanText.warning(sentence)
  }

  func remarked(_ remark: SessionRemark) {
    if remark.isWarning { return warned(remark.sentence) }
    endLine()
    say(remark.sentence)
  }

  func segmented(_ segment: FinishedSegment) {
    endLine()
    say("\(segment.path): \(segment.frames) frames, \(HumanText.bytes(segment.bytes))")
    hasSegments = true
  }

  func standsBy() {
    say("standing by; 'camrec ctl start' begins a film\(isTerminal ? ", Ctrl-C ends" : "")")
  }

  func keeps(_ preRoll: PreRollDescription) { say(HumanText.preRoll(preRoll)) }

  func refused(_ error: CamrecError) { HumanText.error(error) }

  func stopped(_ summary: SessionSummary, status: ExitStatus) {
    endLine()
    if let movie = summary.movie, hasSegments {
      say("\(summary.segments) files, \(movie.frames) frames, \(HumanText.bytes(movie.bytes))")
    } else if let movie = summary.movie {
      say("\(movie.path): \(movie.frames) frames, \(HumanText.bytes(movie.bytes))")
    } else {
      say("nothing was recorded")
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

  /// The terminal's width, which may change; 80 where it does not say.
  private var columns: Int {
    var size = winsize()
    let answer = unsafe ioctl(FileHandle.standardError.fileDescriptor, UInt(TIOCGWINSZ), &size)
    return answer == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  private func say(_ sentence: String) { HumanText.write(sentence + "\n") }

  private func endLine() {
    if hasLine { HumanText.write("\n") }
    hasLine = false
  }
}
