package import Frames
package import Logging
import Movies
package import Recorder
package import RecorderAPI

/// Reports to a log: each event, with the film, the frame and the reason as fields.
package final class LogReporter: Reporter {
  private var log: Logger
  private var hasSegments = false
  /// Films that were prepared and have not ended.
  private var films = 0

  package init(_ log: Logger) { self.log = log }

  package func prepared(_ description: RecordingDescription) {
    films += 1
    log[metadataKey: "film"] = "\(description.output)"
    var facts: Logger.Metadata = [
      "source": "\(description.camera)", "size": "\(description.width)x\(description.height)",
      "fps": "\(description.frameRate)", "pixel-format": "\(description.pixelFormat)", "codec": "\(description.codec)",
    ]
    if let microphone = description.microphone { facts["microphone"] = "\(microphone)" }
    if let lut = description.lut { facts["lut-sha256"] = "\(lut.sha256)" }
    if let look = description.look { facts["look"] = "\(look.name) \(look.version)" }
    if let gpu = description.bakedOn { facts["baked-on"] = "\(gpu)" }
    if let exposure = description.exposure { facts["exposure"] = "\(exposure)" }
    log.info("ready to record", metadata: facts)
  }

  package func started(at time: MonotonicTime) { log.notice("recording") }

  package func writes(_ path: String) { log[metadataKey: "film"] = "\(path)" }

  package func progressed(_ progress: SessionProgress) {
    log.debug(
      "still recording",
      metadata: account(progress.counts, [
        "seconds": "\(HumanText.fixed(progress.seconds, 3))", "bytes": "\(progress.bytes)",
        "fps": "\(HumanText.fixed(progress.framesPerSecond, 2))",
      ]))
  }

  package func warned(_ sentence: String) { log.warning("\(sentence)") }

  package func remarked(_ remark: SessionRemark) {
    var log = log
    if remark.namesFilm {
      log[metadataKey: "film"] = nil
    } else if let film = remark.film {
      log[metadataKey: "film"] = "\(film)"
    }
    let facts = Logger.Metadata(uniqueKeysWithValues: remark.facts.map { ($0.key, "\($0.value)") })
    let level: Logger.Level = remark.isError ? .error : remark.isWarning ? .warning : .notice
    log.log(level: level, "\(remark.message)", metadata: facts)
  }

  package func eased(_ change: EffortChange) {
    var facts: Logger.Metadata = [
      "reason": "\(change.cause.rawValue)", "step": "\(change.step)", "workers": "\(change.workers)",
    ]
    if let preset = change.preset { facts["preset"] = "\(preset)" }
    log.warning("\(change.message)", metadata: facts)
  }

  package func segmented(_ segment: FinishedSegment) {
    hasSegments = true
    log.log(
      level: segment.isCutOff ? .warning : .notice,
      "\(segment.path) is \(segment.isCutOff ? "cut off" : "complete")",
      metadata: account(
        segment.counts,
        [
          "film": "\(segment.path)", "segment": "\(segment.number)", "frames": "\(segment.frames)",
          "bytes": "\(segment.bytes)",
        ]))
  }

  package func standsBy() { log.notice("standing by") }

  package func keeps(_ preRoll: PreRollDescription) {
    var log = log
    // The film before may still be being finished.
    log[metadataKey: "film"] = nil
    log.info("\(HumanText.preRoll(preRoll))", metadata: ["bytes": "\(preRoll.bytes)"])
  }

  package func refused(_ error: CamrecError) { log.error("\(error.message)", metadata: LogReporter.facts(error)) }

  package func stopped(_ summary: SessionSummary, status: ExitStatus) {
    // A session's last segment has been reported; the next session may have none.
    defer {
      hasSegments = false
      films -= 1
      // What follows is not about this film.
      if films == 0 { self.log[metadataKey: "film"] = nil }
    }
    var log = log
    // Another film may have begun meanwhile.
    log[metadataKey: "film"] = summary.movie.map { "\($0.path)" }
    // Of several segments each has had its own entry.
    var whole = log
    if hasSegments { whole[metadataKey: "film"] = nil }
    if let between = summary.framesBetween, let sentence = HumanText.between(summary) {
      whole.notice("\(sentence)", metadata: ["between": "\(between)"])
    }
    var facts = account(summary.counts, ["exit-status": "\(status.rawValue)"])
    if let movie = summary.movie {
      facts["frames"] = "\(movie.frames)"
      facts["bytes"] = "\(movie.bytes)"
    }
    if let sound = summary.sound, sound.lostFrames > 0 { facts["sound-lost"] = "\(sound.lostFrames)" }
    if let failure = summary.soundFailure {
      log.error("audio is missing at the end: \(failure.message)", metadata: LogReporter.facts(failure))
    }
    if let failure = summary.failure {
      var facts = LogReporter.facts(failure)
      if let film = summary.failedFilm { facts["film"] = "\(film)" }
      log.error("\(failure.message)", metadata: facts)
    }
    let segments = "the film has ended in \(HumanText.count(summary.segments, "segment"))"
    let film = hasSegments ? segments : "the film has ended"
    let end = summary.movie == nil ? HumanText.withoutFilm(summary) : film
    whole.log(
      level: status == .success ? .notice : .warning, "\(end): \(HumanText.ledger(summary.counts))", metadata: facts)
  }

  private func account(_ counts: FrameLedger.Counts, _ more: Logger.Metadata) -> Logger.Metadata {
    var facts = more
    facts["expected"] = "\(counts.expected)"
    facts["captured"] = "\(counts.captured)"
    facts["written"] = "\(counts.written)"
    for reason in LossReason.allCases where counts.lost(reason) > 0 {
      facts["lost-\(reason.rawValue)"] = "\(counts.lost(reason))"
    }
    return facts
  }

  /// An error's fields.
  package static func facts(_ error: CamrecError) -> Logger.Metadata {
    var facts: Logger.Metadata = ["code": "\(error.code.rawValue)"]
    if let cause = error.cause { facts["cause"] = "\(cause)" }
    return facts
  }
}

/// Reports to two reporters, one after the other.
package final class BothReporters: Reporter {
  private let both: [any Reporter]

  package init(_ one: any Reporter, _ other: any Reporter) { both = [one, other] }

  package func isReached(at socket: @escaping () -> String?, monitor: @escaping () -> String?) {
    both.forEach { $0.isReached(at: socket, monitor: monitor) }
  }
  package func prepared(_ description: RecordingDescription) { both.forEach { $0.prepared(description) } }
  package func begins(withFrame number: Int64) { both.forEach { $0.begins(withFrame: number) } }
  package func started(at time: MonotonicTime) { both.forEach { $0.started(at: time) } }
  package func writes(_ path: String) { both.forEach { $0.writes(path) } }
  package func progressed(_ progress: SessionProgress) { both.forEach { $0.progressed(progress) } }
  package func warned(_ sentence: String) { both.forEach { $0.warned(sentence) } }
  package func remarked(_ remark: SessionRemark) { both.forEach { $0.remarked(remark) } }
  package func eased(_ change: EffortChange) { both.forEach { $0.eased(change) } }
  package func segmented(_ segment: FinishedSegment) { both.forEach { $0.segmented(segment) } }
  package func standsBy() { both.forEach { $0.standsBy() } }
  package func keeps(_ preRoll: PreRollDescription) { both.forEach { $0.keeps(preRoll) } }
  package func refused(_ error: CamrecError) { both.forEach { $0.refused(error) } }
  package func stopped(_ summary: SessionSummary, status: ExitStatus) {
    both.forEach { $0.stopped(summary, status: status) }
  }
}
