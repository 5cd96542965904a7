import Audio
public import Frames

/// Holds the sound of a film against a golden's.
///
/// A golden has hashes only, so a shift is found in the film's own samples: it is where some of the golden's blocks,
/// and then most of them, are again.
public struct SoundComparison {
  /// Format alone, or shift, length and changed blocks in this order; none where it is the golden.
  public let differences: [SoundDifference]

  /// Where the sound is not the golden's this may take seconds: up to 3 GB are hashed.
  ///
  /// - Parameters:
  ///   - film: the hashes of what `samples` gives.
  ///   - md5: as that which made both.
  ///   - samples: the bytes of these of the film's sample frames, which are among the `film.length` that it has: those
  ///     of some 1.1 seconds at most. Not called where the hashes are the same.
  /// - Throws: what `samples` throws; code `defect` where it gives another number of bytes.
  public init(
    golden: SoundHashes, film: SoundHashes, md5: @escaping (RawSpan) -> String,
    samples: @escaping (Range<Int64>) throws(CamrecError) -> [UInt8]
  ) throws(CamrecError) {
    if let difference = SoundComparison.format(golden, film) {
      differences = [difference]
      return
    }
    guard golden.blocks != film.blocks else {
      differences = []
      return
    }
    let look = try SoundShiftSearch(golden: golden, film: film, md5: md5, samples: samples).find()
    var found: [SoundDifference] = []
    if look.shift != 0 { found.append(.shifted(by: look.shift)) }
    if golden.length != film.length { found.append(.length(golden: golden.length, film: film.length)) }
    differences = found + SoundComparison.runs(look.changed).map { .changed($0) }
  }

  /// Another format is all that is said of a sound: none of its blocks can be the golden's.
  private static func format(_ golden: SoundHashes, _ film: SoundHashes) -> SoundDifference? {
    guard golden.format != film.format || golden.layout != film.layout else { return nil }
    let isNamed = golden.format.sampleRate != film.format.sampleRate || golden.layout != film.layout
    func words(_ sound: SoundHashes) -> String {
      let name = "\(sound.format.sampleRate) Hz \(sound.layout)"
      return isNamed ? name : "\(name) in \(8 * sound.format.sample.bytes) bits"
    }
    return .format(golden: words(golden), film: words(film))
  }

  /// - Parameter blocks: rising.
  private static func runs(_ blocks: [Int]) -> [ClosedRange<Int>] {
    blocks.reduce(into: []) { runs, block in
      if let last = runs.last, last.upperBound == block - 1 {
        runs[runs.count - 1] = last.lowerBound...block
      } else {
        runs.append(block...block)
      }
    }
  }
}
