import Bake
import CameraTestKit
import Cameras
import Color
import Foundation
import Frames
import MovieTestKit
import Recorder
import Sidecar
import Testing

/// What a camera is set to, in the records of its frames.
struct ControlRecordTests {
  /// The frames of a recording's sidecar.
  private static func frames(
    of camera: any Camera, exposure: ExposureOptions = ExposureOptions(), count: Int64
  ) throws -> [SidecarFrame] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let film = folder.appendingPathComponent("take.mov").path, format = camera.format, rate = try camera.filmRate
    let options = SessionOptions(overload: .wait, limit: .frames(count))
    let head = SidecarHead(
      software: "test", film: "take.mov", camera: camera.name, width: format.width, height: format.height,
      pixelFormat: "nv12", frameRate: rate, timeBase: rate.frameDuration, colorIn: "rec709",
      colorOut: "rec709", codec: "none", start: Date())
    let session = RecordingSession(
      parts: RecordingSession.Parts(
        camera: camera, microphone: nil, converter: nil,
        baker: try Baker(
          input: FrameFormat(width: format.width, height: format.height, layout: .nv12, color: format.color),
          outputLayout: .nv12, outputColor: format.color, lut: nil, interpolation: .tetrahedral, workers: 1,
          frames: options.bakedFrames),
        resampler: nil, exposure: try ExposureService.open(camera, options: exposure).service,
        openSink: { _ throws(CamrecError) in (CollectingSink(), "") },
        openSidecar: { _, _ throws(CamrecError) in try SidecarWriter(film: film, head: head) }),
      options: options, timeBase: rate.frameDuration)
    let summary = session.run(observer: RecordingSessionTests.Notes())
    #expect(summary.failure == nil)
    var frames: [SidecarFrame] = []
    _ = try SidecarReader(path: SidecarFile.path(ofFilm: film)).records {
      if case .frame(let frame) = $0 { frames.append(frame) }
    }
    return frames
  }

  private static func simulated(
    _ options: String = "", _ actions: [UInt64: @Sendable (any CameraControls) -> Void] = [:]
  ) throws -> ActingCamera {
    ActingCamera(
      try SimulatedCamera(
        SimulatedCamera.Options(parsing: "pace=pulled,physics=fast,\(options)"),
        request: CameraRequest(width: 64, height: 36, pixelFormat: "nv12"), clock: SimulatedClock(pace: .pulled),
        frames: 24), actions)
  }

  // MARK: Told with the frame

  @Test func whatIsChangedWhileRecording_isThereFromThatFrameOn() throws {
    for delay in [1, 3, 5] {
      let camera = try Self.simulated(
        "delay=\(delay),kelvin=4300",
        [
          10: {
            _ = try? $0.set([
              ControlChange(.whiteBalance, .number(3200)), ControlChange(.autoWhiteBalance, .flag(false)),
            ])
          }
        ])
      // The actions count the camera's frames: none is to be let go before the film.
      let frames = try Self.frames(of: camera, exposure: ExposureOptions(mode: .locked), count: 24)
      // It balanced itself for the light; frame 9 was captured last when it was told.
      let first = 9 + delay
      #expect(frames.prefix(first).allSatisfy { $0.controls?.whiteBalance == 4300 && $0.controls?.tint == 0 })
      #expect(frames.dropFirst(first).allSatisfy { $0.controls?.whiteBalance == 3200 }, "\(delay)")
      #expect(frames.count == 24)
    }
  }

  @Test func aFocusThatIsFound_isThereFromThenOn() throws {
    let camera = try Self.simulated("", [
      4: { controls in
        _ = try? controls.set(.focusPoint, to: .point(x: 0.1, y: 0.9))
        _ = try? controls.set(.focusTrigger, to: .none)
      }
    ])
    let frames = try Self.frames(of: camera, exposure: ExposureOptions(mode: .locked), count: 24)
    // Half a second after frame 4.
    #expect(frames.prefix(16).allSatisfy { $0.controls?.focusDistance == 0 })
    #expect(frames.dropFirst(16).allSatisfy { $0.controls?.focusDistance == 160 })
  }

  @Test func gainIsEVAboveTheLowest_andTheCamerasNumberWhereItHasOne() throws {
    let iso = try Self.frames(
      of: Self.simulated(), exposure: ExposureOptions(mode: .manual, iso: 400), count: 6)
    #expect(iso.allSatisfy { $0.exposure?.gain == nil && $0.exposure?.gainEV == 4 }, "ISO 25 is the lowest")
    let camera = try Self.simulated("sensitivity=gain")
    try #require(camera.controls).set(.gain, to: .number(120))
    let own = try Self.frames(of: camera, exposure: ExposureOptions(mode: .manual), count: 6)
    // What its numbers come to nobody has measured: their EV are relative.
    #expect(own.allSatisfy { $0.exposure?.gain == 120 }, "\(own.map { $0.exposure?.gain })")
    let ev = try #require(own.last?.exposure?.gainEV), isoSpeed = try #require(own.last?.exposure?.iso)
    #expect(abs(log2(isoSpeed / 100) - ev) < 0.01 && ev > 0)
  }

  // MARK: Asked beside the frames

  @Test func aCameraThatExposesItself_isReadAndFollowed() throws {
    let controls = ScriptedCameraControls([
      .exposureTime: .number(0.02), .gain: .number(50), .whiteBalance: .number(4600), .focusDistance: .number(30),
    ])
    let camera = ScriptedCamera(
      [.frames(20), .action { controls[.whiteBalance] = .number(5000) }, .frames(120)],
      rate: RecordingSessionTests.rate, pacing: .milliseconds(10), controls: controls)
    let frames = try Self.frames(of: camera, exposure: ExposureOptions(mode: .camera), count: 140)
    #expect(frames.allSatisfy { $0.exposure?.exposureTime == 0.02 && $0.exposure?.gain == 50 })
    #expect(frames.allSatisfy { $0.controls?.focusDistance == 30 && $0.controls?.tint == nil })
    #expect(frames.prefix(20).allSatisfy { $0.controls?.whiteBalance == 4600 })
    #expect(frames.last?.controls?.whiteBalance == 5000)
    #expect(controls.sets.isEmpty, "it is only read")
  }

  @Test func aCameraThatFallsSilent_isRecordedAllTheSame() throws {
    let controls = ScriptedCameraControls([.whiteBalance: .number(4600)])
    controls.fallSilent()
    let camera = ScriptedCamera([.frames(12)], rate: RecordingSessionTests.rate, controls: controls)
    let frames = try Self.frames(of: camera, exposure: ExposureOptions(mode: .camera), count: 12)
    #expect(frames.count == 12 && frames.allSatisfy { $0.exposure == nil && $0.controls == nil })
  }
}
