import Assembly
import Cameras
import Foundation
import Frames
import Movies
import Platform
import Recorder
import RecorderAPI
import Reporting
import TestKit
import Testing

/// A look on the colours of a camera that does not say them.
struct GuessedColorTests {
  private final class SilentCamera: Camera {
    let name = "a camera"
    let warnings: [String] = []
    let format: CameraFormat

    init(saysItsColor: Bool) throws {
      format = CameraFormat(
        width: 320, height: 180, image: .raw(.nv12), frameRate: FrameRate(Rational(25)), color: .rec709,
        isColorGuessed: !saysItsColor)
    }

    func start() throws(CamrecError) {}
    func next() throws(CamrecError) -> CameraEvent { .nothing }
    func stop() {}
  }

  private final class Notes: Reporter {
    private(set) var description: RecordingDescription?
    private(set) var warnings: [String] = []

    func started(at time: MonotonicTime) {}
    func progressed(_ progress: SessionProgress) {}
    func warned(_ sentence: String) { warnings.append(sentence) }
    func prepared(_ description: RecordingDescription) { self.description = description }
    func refused(_ error: CamrecError) {}
    func stopped(_ summary: SessionSummary, status: Reporting.ExitStatus) {}
  }

  private func announced(_ bake: BakeSettings, saysItsColor: Bool) throws -> Notes {
    let folder = try TemporaryFolder(), notes = Notes()
    let request = FilmMaker.Request(
      bake: bake, encoding: VideoEncoding(codec: .ffv1), file: FileSettings(),
      output: try OutputPath(pattern: folder.path("a.mkv"), date: Date()), grade: try Grade(bake),
      session: SessionOptions(), isLive: false, hasSidecar: false)
    let source = FilmSource(camera: try SilentCamera(saysItsColor: saysItsColor))
    try FilmMaker(source, request).announce("a.mkv", to: notes)
    return notes
  }

  private static let look = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Looks/portra-400.yaml").path

  @Test func aLookOnAGuessIsAWarning() throws {
    let guessed = try announced(BakeSettings(look: Self.look), saysItsColor: false)
    #expect(
      guessed.warnings.filter { $0.contains("look") } == [
        "the look takes the camera for rec709 (a guess: the camera does not say its colours); if that is wrong, set "
          + "--color-in"
      ])
    #expect(guessed.description?.isColorInGuessed == true)
    let plain = try announced(BakeSettings(), saysItsColor: false)
    #expect(plain.warnings == [] && plain.description?.isColorInGuessed == true)
  }

  @Test func aLookOnWhatIsKnownIsNone() throws {
    let said = try announced(BakeSettings(look: Self.look), saysItsColor: true)
    let named = try announced(
      BakeSettings(look: Self.look, colorIn: try ColorName(parsing: "rec709")), saysItsColor: false)
    for notes in [said, named] {
      #expect(notes.warnings == [] && notes.description?.isColorInGuessed == false)
    }
  }
}
