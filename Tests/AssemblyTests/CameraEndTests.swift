import Assembly
import Cameras
import Frames
import Movies
import Platform
import Recorder
import RecorderAPI
import Reporting
import TestKit
import Testing

/// A recorder without standby whose camera goes when the film has ended.
struct CameraEndTests {
  private final class Notes: Reporter {
    private let atEnd: () -> Void
    private(set) var ends = 0
    private(set) var warnings: [String] = []

    init(atEnd: @escaping () -> Void) { self.atEnd = atEnd }

    func started(at time: MonotonicTime) {}
    func progressed(_ progress: SessionProgress) {}
    func warned(_ sentence: String) { warnings.append(sentence) }
    func prepared(_ description: RecordingDescription) {}
    func refused(_ error: CamrecError) { warnings.append(error.description) }
    func stopped(_ summary: SessionSummary, status: Reporting.ExitStatus) {
      ends += 1
      atEnd()
    }
  }

  /// There is no next start.
  @Test(arguments: [false, true]) func nobodyLooksForACameraThatGoesAfterTheEnd(awaitsCamera: Bool) throws {
    let camera = try WalkingCamera(), folder = try TemporaryFolder(), providers = CameraProviders([camera])
    let settings = RecordingSettings(
      source: SourceSettings(
        camera: try providers.address(parsing: "walk"), size: try FrameSize(parsing: "160x96"),
        frameRate: try FrameRate(argument: "25")),
      encoding: VideoEncoding(preset: "ultrafast"), output: folder.path("take.mov"), limit: LimitSettings(frames: 5))
    let notes = Notes {
      camera.isAway = true
      for _ in 0..<6000 where camera.running > 0 { WorkThread.sleep(.milliseconds(10)) }
    }
    let films = try RecordedFilms(settings, among: providers, reporter: notes)
    try RecorderService(RecorderSettings(exposure: settings.exposure), awaitsCamera: awaitsCamera)
      .run(films, observer: notes)
    #expect(notes.ends == 1 && !notes.warnings.contains { $0.contains("the next start") }, "\(notes.warnings)")
  }
}
