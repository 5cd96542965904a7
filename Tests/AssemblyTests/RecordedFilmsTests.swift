import Assembly
import Cameras
import Frames
import Movies
import Recorder
import Retention
import TestKit
import Testing

/// Films that follow others.
struct RecordedFilmsTests {
  /// Whether a camera is back must not depend on what is wrong with the disk.
  @Test func aCameraThatWasAway_isLookedForBeforeTheFolder() throws {
    let folder = try TemporaryFolder()
    var bench = BenchProvider()
    bench.present = []
    let providers = CameraProviders([bench])
    let settings = RecordingSettings(
      source: SourceSettings(camera: try providers.address(parsing: "bench:a")), output: folder.path("none/take.mov"))
    let films = try RecordedFilms(settings, among: providers, reporter: CameraWalk.Notes())
    var order = FilmOrder(exposure: nil)
    order.number = 1
    let first = #expect(throws: CamrecError.self) { _ = try films.prepare(order) }
    #expect(first?.code == .output, "a camera is opened last")
    order.isReturn = true
    let back = #expect(throws: CamrecError.self) { _ = try films.prepare(order) }
    #expect(back == CamrecError(.device, BenchProvider.away))
  }

  /// The film that is being recorded must not end for a film that cannot begin.
  @Test func aChangeIsChecked_withTheFolderOfTheNextFilm() throws {
    let folder = try TemporaryFolder(), providers = CameraProviders([BenchProvider()])
    func films(_ output: String) throws -> RecordedFilms {
      let camera = SourceSettings(camera: try providers.address(parsing: "bench:a"))
      return try RecordedFilms(
        RecordingSettings(source: camera, output: folder.path(output)), among: providers,
        reporter: CameraWalk.Notes())
    }
    let change = SourceChange(frameRate: try FrameRate(argument: "20"))
    try films("take.mov").check(change)
    let refusal = #expect(throws: CamrecError.self) { try films("gone/take.mov").check(change) }
    #expect(refusal?.code == .output && refusal?.message.contains("does not exist") == true)
  }

  /// The film that is being recorded goes on at its own rate.
  @Test func aFilmThatIsGivenUp_leavesWhatWasExpectedBefore() throws {
    let folder = try TemporaryFolder(), providers = CameraProviders([BenchProvider()])
    let space = SpaceKeeping(marks: [], full: .stop, films: nil)
    let settings = RecordingSettings(
      source: SourceSettings(camera: try providers.address(parsing: "bench:a")),
      encoding: VideoEncoding(codec: .prores), output: folder.path("take.mov"))
    let films = try RecordedFilms(settings, among: providers, reporter: CameraWalk.Notes(), space: space)
    var order = FilmOrder(exposure: nil)
    _ = try films.prepare(order)
    let before = try #require(space.expectation)
    order.number = 1
    order.source = SourceChange(frameRate: try FrameRate(argument: "50"))
    let other = try films.prepare(order)
    #expect(space.expectation != before)
    other.abandon()
    #expect(space.expectation == before)
  }
}
