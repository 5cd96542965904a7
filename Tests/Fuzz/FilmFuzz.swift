import Frames
import Verification

/// What libFuzzer calls with every input: a film's atoms are read and judged whatever they are, and what is said of
/// them lies in the file.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzFilm(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let color = StreamFacts.Color(primaries: 1, transfer: 1, matrix: 1, isFullRange: false)
  let streams = (1...3).map {
    StreamFacts(identifier: UInt32($0), codec: "hevc", width: 64, height: 48, color: color, samples: 2)
  }
  let refusal = CamrecError(.input, "refused")
  let check = FilmCheck(size: UInt64(count), streams: count % 3 == 0 ? .failure(refusal) : .success(streams)) {
    (offset: UInt64, most: Int) -> [UInt8] in Array(bytes[Int(offset)..<min(count, Int(offset) + most)])
  }
  for finding in check.findings {
    precondition(finding.offset ?? 0 <= count, "\(finding.atom) at \(finding.offset ?? 0) of \(count)")
    precondition(finding.severity == .note || finding.breaks != nil, "\(finding.atom): \(finding.finding)")
  }
  let facts = check.facts
  precondition(
    facts.bytes == count && facts.tracks.allSatisfy { $0.start?.isFinite != false && $0.end?.isFinite != false })
  return 0
}
