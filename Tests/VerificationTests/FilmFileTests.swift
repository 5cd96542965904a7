import Foundation
import MovieBoxes
import TestKit
import Testing
import Verification

/// Files that are cut off, that go on behind the film, or that are none, and what is known of those that are one.
struct FilmFileTests {
  private let good = HandMade.film()

  @Test func aFileThatIsCutOffHasNoIndex() {
    let bytes = good.content
    var check = CheckedFilm.check(Array(bytes[..<(bytes.count / 2)]))
    #expect(check.findings.map(\.severity) == [.error, .error] && check.isUnfinished)
    #expect(check.findings[0].atom == "mdat" && check.findings[0].offset == 20)
    #expect(check.findings[1].finding == "there is no index, because the file is cut off")
    check.adviseBakingAgain()
    #expect(check.findings.allSatisfy { $0.remedy?.contains("bake the clip again") == true })
  }

  @Test func aCompleteFilmNeedsNoOtherBake() {
    var film = good
    film["moov/trak/tkhd"]?.put(HandMade.big(6, 3), at: 1)
    var check = CheckedFilm.check(film.content)
    let before = check.findings
    check.adviseBakingAgain()
    #expect(before.count == 1 && check.findings == before)
  }

  @Test func whatIsBehindAFilmIsOnlyNoted() {
    let check = CheckedFilm.check(good.content + [1, 2, 3, 4, 5])
    #expect(check.findings.map(\.finding) == ["its last 5 bytes are not atoms"] && !check.isUnfinished)
    #expect(check.findings[0].severity == .note && check.findings[0].offset == UInt64(good.content.count))
    #expect(CheckedFilm.check(good.content + [10]).findings.map(\.finding) == ["its last 1 byte is not an atom"])
    let strange = CheckedFilm.check(good.boxes[0].bytes + [1, 2, 3, 4, 5])
    #expect(strange.findings.first?.severity == .error, "where no film is, players stop reading")
  }

  @Test func aFilmInFragmentsIsNotFinished() {
    let check = CheckedFilm.check(HandMade.fragments(parts: 3).content)
    let found = check.findings.first { $0.atom == "moov" && $0.severity == .error }
    #expect(found?.finding == "the film is in 3 fragments" && check.isUnfinished && check.facts.isInFragments)
    #expect(found?.remedy == "its recording was cut off, or its disk was full: camrec recover FILE")
    let one = CheckedFilm.check(HandMade.fragments(parts: 1).content).findings
    #expect(one.contains { $0.finding == "the film is in 1 fragment" }, "\(one)")
    let others = CheckedFilm.check(HandMade.fragments(parts: 3, software: "Lavf61").content)
    #expect(others.findings.first?.remedy?.contains("a camrec film: camrec recover FILE; others: ") == true)
  }

  @Test func whatIsNoAtomBehindAFragmentIsDamage() {
    let film = HandMade.fragments(parts: 3).content
    let found = CheckedFilm.check(film + [UInt8](repeating: 0xAA, count: 100)).findings
      .first { $0.atom == "the file" }
    #expect(found?.severity == .error && found?.offset == UInt64(film.count))
    #expect(found?.finding == "no atom begins here, and the last 100 bytes were not checked")
    #expect(found?.remedy == "its recording was cut off, or its disk was full: camrec recover FILE")
  }

  @Test func aFragmentWithoutItsDataIsTheLast() {
    var film = HandMade.fragments(parts: 3)
    film.boxes.removeLast()
    let check = CheckedFilm.check(film.content)
    #expect(check.findings.first?.finding == "the film is in 3 fragments, the last of which has no data")
  }

  @Test func nothingIsNoFilm() {
    for bytes in [[], [0], Array("not a film, but a text".utf8)] as [[UInt8]] {
      let check = CheckedFilm.check(bytes)
      #expect(check.isUnfinished && check.findings.contains { $0.finding.hasPrefix("there is no index") })
      #expect(check.facts.tracks.isEmpty && check.facts.bytes == UInt64(bytes.count))
    }
  }

  /// A recorder that was killed leaves it for its next segment.
  @Test func aPreparedFileHasNoData() {
    var mark = PreparedMark.bytes
    let check = CheckedFilm.check(mark)
    #expect(check.isUnfinished && check.findings.count == 1)
    #expect(check.findings.first?.finding == "has no data: no frame was written into it")
    #expect(check.findings.first?.remedy == "camrec recover FILE removes it, unless its recording had begun")
    mark[mark.count - 1] ^= 1
    #expect(CheckedFilm.check(mark).findings.first?.finding == "there is no index", "other free space")
  }

  @Test func factsAreThoseOfTheAtoms() throws {
    let facts = CheckedFilm.check(good.content).facts
    #expect(facts.brand == "qt  " && facts.duration == 0.5 && facts.metadata == ["software": "camrec 1.0"])
    let (picture, sound, code) = (facts.tracks[0], facts.tracks[1], facts.tracks[2])
    #expect(picture.kind == "vide" && picture.format == "hvc1" && picture.samples == 12)
    #expect(picture.start == 0 && picture.end == 0.5 && picture.width == 64 && picture.height == 48)
    #expect(picture.rotation == 0 && picture.rate == "24" && picture.color == "1-1-1" && picture.isFullRange == nil)
    #expect(sound.kind == "soun" && sound.format == "sowt" && sound.samples == 4000)
    #expect(sound.sampleRate == 8000 && sound.channels == 1 && sound.bits == 16)
    #expect(code.kind == "tmcd" && code.firstFrame == 86400 && code.isDropFrame == false)
  }

  @Test func aQuarterTurnIsARotation() {
    var film = good
    let turn = [0, 0x1_0000, 0, -0x1_0000, 0, 0, 48 << 16, 0, 1 << 30].flatMap { HandMade.big($0, 4) }
    film["moov/trak/tkhd"]?.put(turn, at: 40)
    let check = CheckedFilm.check(film.content)
    #expect(check.facts.tracks[0].rotation == 90 && check.findings == [])
  }

  @Test func findingsAreWrittenWithoutWhatIsMissing() throws {
    let finding = FilmFinding(.warning, "moov", at: nil, "is odd")
    let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(finding)) as? [String: String]
    #expect(object == ["severity": "warning", "atom": "moov", "finding": "is odd"])
    #expect(FilmFinding.Severity.note < .warning && .warning < FilmFinding.Severity.error)
  }

  @Test func noAlteredByteMakesItTrap_norNamesAPlaceOutsideTheFile() {
    let film = HandMade.film([.pictures(), .sound(100), .timecode()]), bytes = film.content
    for place in bytes.indices {
      for value in [0, 0xFF] where bytes[place] != UInt8(value) {
        var altered = bytes
        altered[place] = UInt8(value)
        let check = CheckedFilm.check(altered)
        for finding in check.findings {
          #expect(finding.offset ?? 0 <= UInt64(bytes.count), "byte \(place) is \(value): \(finding)")
          #expect(finding.severity == .note || finding.breaks != nil, "byte \(place) is \(value): \(finding)")
        }
      }
    }
  }

  @Test func noLengthMakesItTrap() {
    let bytes = good.content
    for count in stride(from: 0, to: bytes.count, by: 17) {
      let check = CheckedFilm.check(Array(bytes[..<count]))
      #expect(check.isUnfinished, "\(count) of \(bytes.count) bytes")
    }
  }
}
