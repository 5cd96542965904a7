import Foundation
import Frames
import Movies
import Platform
import RecorderAPI
package import Sidecar

/// A sidecar in words.
package enum SidecarDescription {
  /// Items of a list that people are shown; programs get more.
  private static let longestListing = 20

  package static func lines(of summary: SidecarSummary) -> [String] {
    let head = summary.head
    let day = head.start.formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space))
    let label = head.timecode.map { ", timecode \($0)" } ?? ""
    var lines = [
      "\(head.film): \(head.camera), \(head.width)x\(head.height) at \(head.frameRate) fps, \(head.pixelFormat), "
        + "\(head.colorIn) to \(head.colorOut), \(head.codec)",
      "recorded \(day)\(label), length \(time(summary.seconds)), by \(head.software)",
    ]
    if let identity = head.identity {
      let clip = head.bakedFromID.map { ", clip \($0.uuidString.lowercased())" } ?? ""
      lines.append("IDs: film \(identity.filmID), recording \(identity.recordingID)\(clip)")
    }
    if let before = summary.continuation {
      lines.append(
        "continues \(before.film) after \(HumanText.fixed(before.seconds, 3)) s, in which "
          + "\(HumanText.count(before.frames, "frame")) \(before.frames == 1 ? "was" : "were") due")
    }
    if let clip = head.bakedFrom { lines.append("baked from \(clip)") }
    if let hash = head.lutSHA256 { lines.append("LUT: \(head.lutTitle ?? "untitled"), sha256 \(hash)") }
    if let look = head.look { lines.append(LookDescription.line(of: look)) }
    lines.append("frames: \(account(of: summary))")
    if let recovery = summary.recovery { lines.append(found(recovery, missing: summary.missingWritten)) }
    if let sound = sound(of: summary) { lines.append(sound) }
    lines += exposure(of: summary)
    lines += list(
      "ISO changed", summary.isoChanges,
      { "\(time($0.seconds))  frame \($0.frame): \(NumberText.short($0.from)) to \(NumberText.short($0.to))" })
    lines += list("gaps", summary.otherGaps) { gap in
      let place = gap.seconds.map { time($0) } ?? "unknown place"
      let frame = gap.frame.map { "  frame \($0)" } ?? ""
      return "\(place)\(frame): \(gap.count) \(HumanText.words(gap.reason))"
    }
    lines += list("filled by repeats", summary.repeated) {
      "\(time($0.seconds))  frame \($0.frame): \($0.count)"
    }
    let cause = summary.placesRefused ? "lost to the disk" : "lost when the film was cut off or damaged"
    lines += list(cause, summary.missing) {
      "\(time($0.seconds))  frame \($0.frame): \($0.count)"
    }
    lines += list("audio gaps", summary.soundGaps) { "\(time($0.seconds)): \(HumanText.fixed($0.length, 3)) s" }
    lines += list("markers", summary.markers) {
      "\(time($0.seconds))  \($0.text)\(summary.isBehindEnd($0) ? " (behind the film's end)" : "")"
    }
    lines += list("settings", summary.settings) { "\(time($0.seconds))  \($0.text)" }
    lines += list("warnings", summary.warnings) { "\(time($0.seconds))  \($0.text)" }
    lines += list("notes", summary.notes) { "\(time($0.seconds))  \($0.text)" }
    if let failure = summary.end?.failure {
      lines.append("ended early: \(failure)")
      if summary.isInFragments, let film = summary.film {
        lines.append("the film is still in fragments; to finish it, run: camrec recover \(ShellWord.of(film))")
      }
    }
    return lines
  }

  /// What is wrong with the file, in sentences.
  package static func warnings(of summary: SidecarSummary) -> [String] {
    let extent = summary.extent
    var warnings: [String] = []
    if extent.tornBytes > 0 {
      warnings.append(
        "the sidecar is cut off in the middle of a record;"
          + " the last \(HumanText.count(extent.tornBytes, "byte")) \(extent.tornBytes == 1 ? "is" : "are") ignored")
    }
    if let line = extent.firstDamagedLine {
      let count = extent.damagedLines == 1 ? "1 line" : "\(extent.damagedLines) lines"
      warnings.append("\(count) of the sidecar cannot be read, the first is line \(line); this report lacks them")
    }
    if summary.end == nil, summary.recovery == nil {
      warnings.append("the sidecar has no end: the recording was cut off, or is still running")
    }
    let film = PathText(PathText(summary.path).folder)
    // The film may have been renamed since, together with its sidecar.
    if ![film.appending(summary.head.film), summary.film ?? ""].contains(where: FileManager.default.fileExists) {
      warnings.append("the film '\(summary.head.film)' is not beside its sidecar")
    }
    return warnings
  }

  private static func account(of summary: SidecarSummary) -> String {
    let cutOff = summary.unaccounted
    guard let end = summary.end else {
      let losses = HumanText.losses(cutOff: cutOff) { summary.lost[$0] ?? 0 }
      // By records alone, nobody knows what the film has.
      return "\(summary.isOpen && summary.content == nil ? "recorded" : "written") \(summary.written), \(losses)"
    }
    return "expected \(end.expected), captured \(end.captured), written \(summary.written), "
      + HumanText.losses(cutOff: cutOff) { end.losses[$0] ?? 0 }
  }

  private static func found(_ recovery: SidecarRecovery, missing: Int64) -> String {
    let day = recovery.date.formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space))
    var line = "recovered \(day): \(HumanText.count(recovery.frames, "frame")) in the film"
    if missing > 0 { line += ", \(HumanText.count(missing, "listed frame")) missing" }
    if recovery.unwritten > 0 { line += ", \(recovery.unwritten) lost that waited to be written" }
    if recovery.unlisted > 0 { line += ", \(recovery.unlisted) not in the sidecar" }
    if recovery.missingSamples > 0 { line += "; \(HumanText.count(recovery.missingSamples, "audio sample")) missing" }
    if recovery.silentSamples > 0 {
      line += "; \(HumanText.count(recovery.silentSamples, "audio sample")) replaced by silence"
    }
    return line
  }

  private static func sound(of summary: SidecarSummary) -> String? {
    guard let microphone = summary.head.microphone else { return nil }
    let lost = summary.absentSound
    let samples = summary.end?.soundFrames.map { ", \(HumanText.count($0, "sample"))" } ?? ""
    // The recording's gaps and those of the clip that was baked are one list.
    let place = summary.head.bakedFrom != nil && lost > 0 ? " in the recording or in the bake" : ""
    let cutOff = summary.cutOffSound
    let share = cutOff == lost ? "" : ", \(cutOff) of them"
    let cause = cutOff == 0 ? "" : "\(share) when the film was cut off or damaged"
    let losses = "\(HumanText.count(lost, "sample")) lost\(place)\(cause)"
    return "audio: \(HumanText.microphone(microphone))\(samples), \(losses)"
  }

  private static func exposure(of summary: SidecarSummary) -> [String] {
    var lines = ["exposure: not reported by this camera"]
    if let times = summary.ranges[.exposureTime], let angles = summary.ranges[.shutterAngle] {
      let angle = range(angles) { HumanText.fixed($0, 2) + "°" }
      lines = ["exposure time: \(range(times, TimeText.exposure)), shutter angle \(angle)"]
    }
    if let iso = summary.ranges[.iso] {
      let ev = summary.ranges[.exposure].map {
        "; exposure (time and ISO) changed by \(HumanText.fixed($0.upperBound - $0.lowerBound, 2)) EV"
      }
      lines.append("ISO: \(range(iso, NumberText.short))\(ev ?? "")")
    }
    let others: [(SidecarSummary.Quantity, String, String)] = [
      (.gainEV, "gain above the lowest", " EV"), (.gain, "gain in the camera's own units", ""),
      (.meteredEV, "metered light", " EV around 18 % grey"),
      (.whiteBalance, "white balance", " K"),
      (.tint, "tint", ""), (.focusDistance, "focus distance in the camera's own units", ""),
    ]
    for (quantity, name, unit) in others {
      if let values = summary.ranges[quantity] { lines.append("\(name): \(range(values, NumberText.short))\(unit)") }
    }
    return lines
  }

  private static func list<Element>(
    _ heading: String, _ listing: SidecarSummary.Listing<Element>, _ line: (Element) -> String
  ) -> [String] {
    guard !listing.items.isEmpty else { return [] }
    let shown = listing.items.prefix(longestListing)
    let more = listing.items.count - shown.count + listing.omitted
    return ["\(heading):"] + shown.map { "  " + line($0) } + (more > 0 ? ["  and \(more) more"] : [])
  }

  private static func range(_ range: ClosedRange<Double>, _ text: (Double) -> String) -> String {
    let (low, high) = (text(range.lowerBound), text(range.upperBound))
    return low == high ? low : "\(low) to \(high)"
  }

  /// `0:01:23.458`. In a damaged file it may be any number.
  private static func time(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "\(seconds) s" }
    let milliseconds = Int((seconds * 1000).rounded())
    return HumanText.clock(Double(milliseconds / 1000)) + "." + String(format: "%03d", milliseconds % 1000)
  }
}
