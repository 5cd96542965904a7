import Assembly
import Bake
import Color
package import Frames
package import Goldens
import MediaFFmpeg

/// Looks for the settings that made a golden's frames, if the baked frames differ.
package struct BakeCauseSearch {
  package let entry: GoldenCase
  package let pass: GoldenPass

  /// Frames of the clip to search: each trial begins at the clip's start.
  private static let pictures = 500

  /// - Parameter changed: the frames that differ, by their numbers in the golden.
  /// - Returns: the findings, for people.
  /// - Throws: as `GoldenPass.picture`.
  package func sentences(
    changed: Set<Int>, _ film: FrameHashes, from golden: FrameHashes
  ) throws(CamrecError) -> [String] {
    [try cause(changed, film, golden), BakeCauseSearch.table(film, golden)].compactMap { $0 }
  }

  /// Whether the case's LUT is another than the golden's, for people; `nil` if it is not.
  static func table(_ film: FrameHashes, _ golden: FrameHashes) -> String? {
    guard let wanted = golden.lut.flatMap(LUTFingerprint.init(text:)) else { return nil }
    guard let own = film.lut.flatMap(LUTFingerprint.init(text:)) else {
      return "the golden was made with a LUT, but the case has none"
    }
    return own.difference(from: wanted).map { "the LUT differs from the one the golden was made with: \($0)" }
  }

  private func cause(_ changed: Set<Int>, _ film: FrameHashes, _ golden: FrameHashes) throws(CamrecError) -> String? {
    let places = changed.sorted().prefix { entry.settings.from + $0 < BakeCauseSearch.pictures }
    // A wrong setting changes most frames and removes none.
    guard let first = places.first, let last = places.last, changed.count * 2 > golden.pictures.count,
      film.pictures.count == golden.pictures.count
    else { return nil }
    func gives(_ place: Int, _ change: (inout FilmMaker.Request) -> Void = { _ in }) throws(CamrecError) -> Bool {
      let bytes = try pass.picture(place, change).bytes
      return unsafe MD5.hash(bytes.span.bytes) == golden.pictures[place].hash
    }
    if try gives(first) {
      return "frame \(first) matches the golden when baked again: the bake is not reproducible"
    }
    var found: [String] = []
    for family in BakeCause.families(for: entry.settings.bake) {
      var causes: [BakeCause] = []
      for cause in family.causes {
        func change(_ request: inout FilmMaker.Request) {
          request.bake.bakeOn = .cpu
          cause.change(&request)
        }
        do throws(CamrecError) {
          guard try gives(first, change) else { continue }
          if first != last, try !gives(last, change) { continue }
          causes.append(cause)
        } catch {
          // Incompatible colours cannot have made the golden.
          guard [.input, .usage].contains(error.code) else { throw error }
        }
      }
      found += family.words(of: causes)
    }
    return found.isEmpty ? nil : "the golden matches a bake with \(found.joined(separator: ", or "))"
  }
}
