import Frames
import TestKit
import Verification

/// Films that are made byte by byte, and what a decoder would say of them.
enum CheckedFilm {
  static let streams = [
    StreamFacts(
      identifier: 1, codec: "hevc", width: 64, height: 48,
      color: StreamFacts.Color(primaries: 1, transfer: 1, matrix: 1, isFullRange: false), samples: 12),
    StreamFacts(identifier: 2, codec: "pcm_s16le", sampleRate: 8000, channels: 1, samples: 4000),
  ]

  static func check(
    _ bytes: [UInt8], _ streams: Result<[StreamFacts], CamrecError> = .success(CheckedFilm.streams),
    mostSamples: UInt64 = 1 << 24
  ) -> FilmCheck {
    FilmCheck(size: UInt64(bytes.count), streams: streams, mostSamples: mostSamples) {
      (offset: UInt64, count: Int) -> [UInt8] in
      Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + count)])
    }
  }

  /// Of a good film in which something is changed.
  static func changed(_ change: (inout HandMade.Box) -> Void) -> FilmCheck {
    var film = HandMade.film()
    change(&film)
    return check(film.content)
  }

  /// Of a good film of whose picture a decoder says something else.
  static func decoded(_ change: (inout StreamFacts) -> Void) -> FilmCheck {
    var said = streams
    change(&said[0])
    return check(HandMade.film().content, .success(said))
  }

  static func made(_ tracks: [HandMade.Track]) -> FilmCheck { check(HandMade.film(tracks).content) }
}
