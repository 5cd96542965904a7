import Foundation
import Frames
package import Goldens
import Recorder
import RecorderAPI
import Reporting
package import Sidecar
package import Verification

extension GoldenFacts {
  /// Facts from a film's atoms, and the findings of `camrec verify`, without what differs in every film: bytes, date
  /// and software.
  package init(_ check: FilmCheck) {
    let film = check.facts
    var facts: [Fact] = []
    func add(_ name: String, _ value: (any CustomStringConvertible)?) {
      if let value { facts.append(Fact(name, value.description)) }
    }
    add("brand", film.brand)
    add("duration", film.duration.map { HumanText.fixed($0, 6) + " s" })
    add("fragments", film.isInFragments ? "yes" : "no")
    for track in film.tracks {
      let name = "track \(track.track)"
      add("\(name), kind", track.kind)
      add("\(name), format", track.format)
      add("\(name), samples", track.samples)
      add("\(name), start", track.start.map { HumanText.fixed($0, 6) + " s" })
      add("\(name), end", track.end.map { HumanText.fixed($0, 6) + " s" })
      if let width = track.width, let height = track.height { add("\(name), size", "\(width)x\(height)") }
      if track.width != nil { add("\(name), rotation", track.rotation.map(String.init) ?? "no turn by quarters") }
      add("\(name), frame rate", track.rate)
      add("\(name), colour", track.color)
      add("\(name), full range", track.isFullRange.map { $0 ? "yes" : "no" })
      add("\(name), sample rate", track.sampleRate.map { HumanText.fixed($0, 0) + " Hz" })
      add("\(name), channels", track.channels)
      add("\(name), bits", track.bits)
      add("\(name), first frame", track.firstFrame)
      add("\(name), drop-frame", track.isDropFrame.map { $0 ? "yes" : "no" })
    }
    let fleeting = ["software", "creation", "date", "encoder"]
    for (key, value) in film.metadata.sorted(by: { $0.key < $1.key })
    where !fleeting.contains(where: key.lowercased().contains) { add("metadata \(key)", value) }
    for finding in check.findings { add("\(finding.severity.rawValue) of \(finding.atom)", finding.finding) }
    self.init(facts)
  }

  /// Facts from a sidecar on exposure and losses.
  package init(_ summary: SidecarSummary) {
    let head = summary.head
    var facts = [
      Fact("camera", head.camera), Fact("size", "\(head.width)x\(head.height)"),
      Fact("frame rate", head.frameRate.description), Fact("pixel format", head.pixelFormat),
      Fact("colour in", head.colorIn), Fact("colour out", head.colorOut), Fact("timecode", head.timecode ?? "none"),
      Fact("LUT", head.lutSHA256 ?? "none"),
    ]
    // Goldens of films without a look do not have this fact.
    if let look = head.look { facts.append(Fact("look", look.words)) }
    facts += [
      Fact("length", HumanText.fixed(summary.seconds, 6) + " s"),
      Fact("frames written", summary.written.description),
    ]
    for (reason, count) in summary.lost.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      facts.append(Fact("lost, \(reason.words.golden)", "\(count)"))
    }
    // Goldens of whole films do not have this fact.
    if summary.unaccounted > 0 {
      facts.append(Fact("lost, when the film was cut off or damaged", summary.unaccounted.description))
    }
    facts.append(Fact("samples of sound lost", "\(summary.absentSound)"))
    for quantity in SidecarSummary.Quantity.allCases {
      guard let range = summary.ranges[quantity] else { continue }
      let ends = [range.lowerBound, range.upperBound].map { String(format: "%.6g", $0) }
      facts.append(Fact(quantity.rawValue, ends[0] == ends[1] ? ends[0] : "\(ends[0]) to \(ends[1])"))
    }
    for gap in summary.otherGaps.items {
      let place = gap.frame.map { "frame \($0)" } ?? "no place"
      facts.append(Fact("gap", "\(place), \(gap.count) \(gap.reason.words.golden)"))
    }
    // A recovery has found the places of what the disk refused.
    for run in summary.placesRefused ? summary.missing.items : [] {
      facts.append(Fact("gap", "frame \(run.frame), \(run.count) \(LossReason.disk.words.golden)"))
    }
    for change in summary.isoChanges.items {
      facts.append(Fact("ISO", "frame \(change.frame): \(String(format: "%.6g to %.6g", change.from, change.to))"))
    }
    for setting in summary.settings.items { facts.append(Fact("setting", setting.text)) }
    facts.append(Fact("end", summary.end == nil ? "none" : summary.end?.failure ?? "well"))
    self.init(facts)
  }
}
