import Audio
import Frames

/// Looks for the shift at which a film's audio matches a golden's.
struct SoundShiftSearch {
  /// How well a film matches if it is later by `shift` sample frames.
  struct Look {
    let shift: Int64
    /// The golden's blocks that lie wholly in the film then, but differ; rising.
    fileprivate(set) var changed: [Int] = []
    /// How many blocks compared are not silence, which fits everywhere, and how many of those match.
    fileprivate var sounding = 0
    fileprivate var same = 0

    /// Four of five match.
    fileprivate var holds: Bool { same * 5 >= sounding * 4 }
  }

  /// A block to look for, and the film's samples around it.
  private struct Candidate {
    let block: SoundHashes.Block
    /// The first sample frame of `bytes`.
    let first: Int64
    let bytes: [UInt8]
  }

  /// Bytes that a search hashes at most: those of three blocks at all shifts within half a second, of 16-bit stereo at
  /// 48 kHz. Audio with more bytes is searched for fewer blocks, then over shorter shifts.
  private static let budget = 3_000_000_000
  private static let mostCandidates = 3

  private let golden: SoundHashes
  private let film: SoundHashes
  private let md5: (RawSpan) -> String
  private let samples: (Range<Int64>) throws(CamrecError) -> [UInt8]
  /// Hashes of zeros, by the number of sample frames.
  private let silence: [Int: String]

  /// The parameters are those of `SoundComparison`.
  ///
  /// - Precondition: both have the same format.
  init(
    golden: SoundHashes, film: SoundHashes, md5: @escaping (RawSpan) -> String,
    samples: @escaping (Range<Int64>) throws(CamrecError) -> [UInt8]
  ) {
    self.golden = golden
    self.film = film
    self.md5 = md5
    self.samples = samples
    var silence: [Int: String] = [:]
    for count in Set(golden.blocks.map(\.count)) {
      let zeros = [UInt8](repeating: 0, count: count * golden.format.bytesPerFrame)
      // Marked unsafe, here and below: bytes may be looked at as bytes.
      silence[count] = unsafe md5(zeros.span.bytes)
    }
    self.silence = silence
  }

  /// The nearest shift at which the film matches the golden, or 0 if there is none.
  ///
  /// - Throws: as `SoundComparison`.
  func find() throws(CamrecError) -> Look {
    let inPlace = try look(at: 0)
    guard !inPlace.holds else { return inPlace }
    return try sweep(inPlace.changed) ?? inPlace
  }

  // MARK: The whole film

  private func look(at shift: Int64) throws(CamrecError) -> Look {
    var look = Look(shift: shift)
    for (index, block) in golden.blocks.enumerated() {
      guard let hash = try filmHash(index, at: shift) else { continue }
      let isSame = hash == block.hash
      if !isSame { look.changed.append(index) }
      guard !isSilent(block) else { continue }
      look.sounding += 1
      if isSame { look.same += 1 }
    }
    return look
  }

  /// The hash of the film's block in place of one of the golden's; `nil` if the film does not have all of it.
  private func filmHash(_ index: Int, at shift: Int64) throws(CamrecError) -> String? {
    let block = golden.blocks[index]
    let start = block.start + shift
    let end = start + Int64(block.count)
    guard start >= 0, end <= film.length else { return nil }
    if shift == 0, film.blocks[index].count == block.count { return film.blocks[index].hash }
    let bytes = try read(start..<end)
    return unsafe md5(bytes.span.bytes)
  }

  private func isSilent(_ block: SoundHashes.Block) -> Bool { block.hash == silence[block.count] }

  private func read(_ range: Range<Int64>) throws(CamrecError) -> [UInt8] {
    let bytes = try samples(range)
    guard bytes.count == range.count * golden.format.bytesPerFrame else {
      throw CamrecError(.defect, "\(bytes.count) bytes of sound came for \(range.count) samples")
    }
    return bytes
  }

  // MARK: Some blocks, everywhere

  /// - Parameter changed: blocks that differ without a shift.
  private func sweep(_ changed: [Int]) throws(CamrecError) -> Look? {
    let half = golden.format.sampleRate / 2
    let blockBytes = golden.blockLength * golden.format.bytesPerFrame
    let most = min(SoundShiftSearch.mostCandidates, max(1, SoundShiftSearch.budget / max(1, 2 * half * blockBytes)))
    let reach = Int64(min(half, SoundShiftSearch.budget / (2 * most * blockBytes)))
    var candidates: [Candidate] = []
    for index in choice(of: changed, most: most) {
      let block = golden.blocks[index]
      let first = max(0, block.start - reach)
      let end = min(film.length, block.start + Int64(block.count) + reach)
      candidates.append(Candidate(block: block, first: first, bytes: try read(first..<end)))
    }
    for distance in stride(from: 1, through: reach, by: 1) {
      for shift in [distance, -distance] {
        guard let index = candidates.firstIndex(where: { isFound($0, at: shift) }) else { continue }
        let found = try look(at: shift)
        if found.holds { return found }
        // Drop a misleading block: each look reads the whole film.
        candidates.remove(at: index)
      }
      if candidates.isEmpty { break }
    }
    return nil
  }

  /// Blocks that are unlike all others, or, in audio without any (a tone), any audible ones: from the middle, and from
  /// before and after it.
  private func choice(of changed: [Int], most: Int) -> [Int] {
    let counts = golden.blocks.reduce(into: [:]) { $0[$1.hash, default: 0] += 1 }
    let heard = changed.filter { golden.blocks[$0].count == golden.blockLength && !isSilent(golden.blocks[$0]) }
    let single = heard.filter { counts[golden.blocks[$0].hash] == 1 }
    let possible = single.isEmpty ? heard : single
    guard !possible.isEmpty else { return [] }
    let places = [possible.count / 2, possible.count / 4, possible.count * 3 / 4].map { possible[$0] }
    return Array(Set(places.prefix(most))).sorted()
  }

  private func isFound(_ candidate: Candidate, at shift: Int64) -> Bool {
    let frameBytes = golden.format.bytesPerFrame
    let bytes = candidate.bytes
    let start = Int(candidate.block.start + shift - candidate.first) * frameBytes
    let end = start + candidate.block.count * frameBytes
    guard start >= 0, end <= bytes.count else { return false }
    return unsafe md5(bytes.span.bytes.extracting(start..<end)) == candidate.block.hash
  }
}
