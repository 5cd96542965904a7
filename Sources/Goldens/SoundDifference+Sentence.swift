import Audio
import Foundation

extension SoundDifference {
  /// For people: what differs, when, and by how much.
  ///
  /// - Parameter golden: the golden whose blocks are counted.
  public func sentence(golden: SoundHashes) -> String {
    let rate = Double(golden.format.sampleRate)
    func seconds(_ samples: Int64) -> String { String(format: "%.3f s", Double(samples) / rate) }
    func words(_ samples: Int64) -> String { "\(samples) sample\(samples == 1 ? "" : "s")" }
    switch self {
    case .format(let wanted, let got): return "the audio is \(got), not \(wanted)"
    case .shifted(let samples):
      let late = String(format: "%.3f ms", Double(abs(samples)) / rate * 1000)
      return "the audio comes \(late) (\(words(abs(samples)))) \(samples < 0 ? "earlier" : "later")"
    case .length(let wanted, let got):
      let rest = abs(got - wanted)
      return "the audio is \(words(rest)) (\(seconds(rest))) \(got < wanted ? "shorter" : "longer")"
    case .changed(let run) where run.count == golden.blocks.count: return "all of the audio differs"
    case .changed(let run):
      let last = golden.blocks[run.upperBound]
      let end = last.start + Int64(last.count)
      return "the audio differs from \(seconds(golden.blocks[run.lowerBound].start)) to \(seconds(end))"
    }
  }
}
