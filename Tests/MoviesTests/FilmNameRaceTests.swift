import Foundation
import Frames
import Movies
import Testing

/// Names that other programs take between their choice and the creation of their files.
@Suite struct FilmNameRaceTests {
  private static func output(_ number: Int) throws(CamrecError) -> OutputPath {
    try OutputPath(pattern: "take-\(number).mov", date: Date(timeIntervalSince1970: 0), isUTC: true)
  }

  private static func refusal(_ output: OutputPath) -> CamrecError { OutputPath.refusal(output.path, EEXIST) }

  @Test func theNextNameIsTriedUntilOneIsFree() throws {
    var number = 1
    let opened = try FilmNameRace.run(
      try Self.output(1),
      another: { () throws(CamrecError) -> OutputPath? in
        number += 1
        return try Self.output(number)
      },
      open: { (output) throws(CamrecError) -> Int in
        guard number == 3 else { throw Self.refusal(output) }
        return number
      })
    #expect(opened.file == 3 && opened.output.path == "take-3.mov")
  }

  @Test func withoutAnotherNameTheRefusalIsThrown() throws {
    let output = try Self.output(1)
    let error = #expect(throws: CamrecError.self) {
      try FilmNameRace.run(
        output, another: { () throws(CamrecError) -> OutputPath? in nil },
        open: { (output) throws(CamrecError) -> Int in throw Self.refusal(output) })
    }
    #expect(error == Self.refusal(output))
  }

  @Test func anotherErrorIsNoLostRace() throws {
    var asked = 0
    let output = try Self.output(1)
    let error = #expect(throws: CamrecError.self) {
      try FilmNameRace.run(
        output,
        another: { () throws(CamrecError) -> OutputPath? in
          asked += 1
          return output
        }, open: { (_) throws(CamrecError) -> Int in throw CamrecError(.output, "the disk is full") })
    }
    #expect(error?.message == "the disk is full" && asked == 0)
  }

  @Test func itEndsSomeTime() throws {
    var opened = 0
    let output = try Self.output(1)
    #expect(throws: Self.refusal(output)) {
      try FilmNameRace.run(
        output, another: { () throws(CamrecError) -> OutputPath? in output },
        open: { (output) throws(CamrecError) -> Int in
          opened += 1
          throw Self.refusal(output)
        })
    }
    #expect(opened == FilmNames.attempts)
  }
}
