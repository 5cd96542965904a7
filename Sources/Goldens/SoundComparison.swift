import Audio
public import Frames

/// Compares the audio of a film with a golden's.
///
/// A golden has only hashes, so a shift is found in the film's own samples: it is where some of the golden's blocks
/// match, and then most of them.
public struct SoundComparison {
  /// Format alone, or shift, length and changed blocks in this order; empty if the audio equals the golden.
  public let differences: [SoundDifference]

  /// If the audio differs, this may take seconds: it hashes up to 3 GB.
  ///
  /// - Parameters:
  ///   - film: the hashes of what `samples` gives.
  ///   - md5: the function that made both.
  ///   - samples: returns the bytes of a range of the film's sample frames, within `film.length` and about 1.1 seconds
  ///     long at most. Not called if the hashes are the same.
  /// - Throws: what `samples` throws; code `defect` if it returns a wrong number of bytes.
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

  /// Another format is the only difference reported: no block can match the golden then.
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
