import Bake
import Color
import Frames
import Goldens
import MediaFFmpeg

/// Looks for what would have made a golden's pictures where those that are baked are others.
struct BakeCauseSearch {
  let entry: GoldenCase
  let pass: GoldenPass

  /// Pictures of the clip among which is looked: each trial begins with the clip.
  private static let pictures = 500

  /// - Parameter changed: the pictures that show something else, by their numbers in the golden.
  /// - Returns: what was found, for a person.
  /// - Throws: as `GoldenPass.picture`.
  func sentences(changed: Set<Int>, _ film: FrameHashes, from golden: FrameHashes) throws(CamrecError) -> [String] {
    [try cause(changed, film, golden), table(film, golden)].compactMap { $0 }
  }

  /// Where the LUT is another.
  private func table(_ film: FrameHashes, _ golden: FrameHashes) -> String? {
    guard let wanted = golden.lut.flatMap(LUTFingerprint.init(text:)) else { return nil }
    guard let own = film.lut.flatMap(LUTFingerprint.init(text:)) else {
      return "the golden's pictures were made with a LUT, and the case has none"
    }
    return own.difference(from: wanted).map { "the LUT is not the golden's: \($0)" }
  }

  private func cause(_ changed: Set<Int>, _ film: FrameHashes, _ golden: FrameHashes) throws(CamrecError) -> String? {
    let places = changed.sorted().prefix { entry.words.from + $0 < BakeCauseSearch.pictures }
    // A mistake of the bake is in most pictures, none of which it takes away.
    guard let first = places.first, let last = places.last, changed.count * 2 > golden.pictures.count,
      film.pictures.count == golden.pictures.count
    else { return nil }
    func gives(_ place: Int, _ change: (inout FilmMaker.Request) -> Void = { _ in }) throws(CamrecError) -> Bool {
      let bytes = try pass.picture(place, change).bytes
      return unsafe MD5.hash(bytes.span.bytes) == golden.pictures[place].hash
    }
    if try gives(first) {
      return "frame \(first), baked once more, is the golden's: the bake does not come to the same twice"
    }
    var found: [String] = []
    for family in BakeCause.families(for: entry.words.bake) {
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
          // Colours that do not go together are not what made the golden.
          guard [.input, .usage].contains(error.code) else { throw error }
        }
      }
      found += family.words(of: causes)
    }
    return found.isEmpty ? nil : "the golden's pictures are those \(found.joined(separator: ", or "))"
  }
}
