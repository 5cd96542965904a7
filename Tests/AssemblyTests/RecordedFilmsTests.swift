import Assembly
import Cameras
import Frames
import Recorder
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
}
