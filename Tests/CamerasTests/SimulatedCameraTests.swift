import CameraTestKit
import Cameras
import Color
import Foundation
import Frames
import Platform
import Synchronization
import TestKit
import Testing

private let lacking = "the simulated camera has no"

@Suite struct SimulatedCameraTests {
  // MARK: Pictures

  @Test(arguments: ["fast", "full"])
  func theSeedDecidesEveryByte(physics: String) throws {
    func bytes(_ options: String) throws -> [[UInt8]] {
      try SimulatedPicture.take(3, "physics=\(physics),\(options)", width: 320, height: 180).map(\.bytes)
    }
    let first = try bytes("seed=5")
    #expect(try bytes("seed=5") == first)
    #expect(first[0] != first[1] && first[1] != first[2], "noise is new in every frame")
    #expect(try bytes("seed=6")[0] != first[0])
  }

  @Test func aFrameDoesNotDependOnThoseBeforeIt() throws {
    let script = try Self.script("drop 1 4\nlight 3 0.5")
    defer { try? FileManager.default.removeItem(atPath: script) }
    let plain = try Self.script("light 3 0.5")
    defer { try? FileManager.default.removeItem(atPath: plain) }
    let all = try SimulatedPicture.take(7, "physics=fast,faults=\(plain)", width: 320, height: 180)
    let some = try SimulatedPicture.take(3, "physics=fast,faults=\(script)", width: 320, height: 180)
    #expect(some.map(\.sequence) == [0, 5, 6])
    for picture in some { #expect(picture.bytes == all[Int(picture.sequence)].bytes) }
  }

  @Test(arguments: PixelLayout.allCases.filter { $0.chroma != .yuv444 }, [(65, 37), (64, 36), (321, 181)])
  func everyLayoutShowsTheSamePicture(layout: PixelLayout, size: (Int, Int)) throws {
    let picture = try #require(
      SimulatedPicture.take(1, "physics=full", width: size.0, height: size.1, format: layout.rawValue).first)
    #expect(picture.layout == layout && picture.width == size.0 && picture.height == size.1)
    let reference = try #require(
      SimulatedPicture.take(1, "physics=full", width: size.0, height: size.1, format: "yuv422p10").first)
    let unit = layout.bitDepth == 10 ? 1 : 4
    for y in 0..<size.1 {
      for x in 0..<size.0 where abs(picture.code(0, x, y) * unit - reference.code(0, x, y)) > 2 {
        Issue.record("luma differs at \(x), \(y)")
        return
      }
    }
    guard layout.chroma == .yuv422 else { return }
    for y in 0..<size.1 {
      for x in 0..<(size.0 + 1) / 2 {
        for component in 1...2 where abs(picture.code(component, x, y) * unit - reference.code(component, x, y)) > 2 {
          Issue.record("chroma \(component) differs at \(x), \(y)")
          return
        }
      }
    }
  }

  // MARK: Marks

  @Test(arguments: ["rec709", "apple-log", "slog3", "vlog"], ["nv12", "uyvy", "p010", "yuv422p10"])
  func everyPictureSaysItsNumber(transfer: String, format: String) throws {
    let pictures = try SimulatedPicture.take(
      14, "physics=fast,light=30,iso=3200,transfer=\(transfer)", width: 320, height: 180, format: format)
    let reader = FrameNumberReader(width: 320, height: 180)
    let readings = pictures.map { picture in picture.luma.withUnsafeBytes { reader.read(luma: $0) } }
    #expect(readings.map { $0?.mark.number } == (0..<14).map(UInt32.init))
    #expect(readings.map { $0?.mark.flash } == (0..<14).map { $0 == 12 })
    #expect(readings.allSatisfy { $0?.rotation == Rotation.none })
  }

  /// What a graded, turned and compressed film still says.
  @Test(arguments: [
    ("apple-log", "null", Rotation.none), ("rec709", "transpose=clock", .quarter), ("slog3", "hflip,vflip", .half),
    ("vlog", "transpose=cclock", .threeQuarters), ("apple-log", "negate", .none),
    ("apple-log", "lutyuv=y='clip((val-60)*2,16,235)'", .none),
  ])
  func marksSurviveGradeRotationAndHEVC(transfer: String, filter: String, rotation: Rotation) throws {
    let pictures = try SimulatedPicture.take(
      14, "physics=full,transfer=\(transfer)", width: 320, height: 180, format: "yuv420p")
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("simulated-\(UUID().uuidString).mov").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Tool.run(
      [
        "ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "320x180", "-r", "24", "-i", "-", "-vf",
        filter,
      ]
        + ["-c:v", "libx265", "-preset", "ultrafast", "-crf", "28", "-x265-params", "log-level=error", path],
      input: Data(pictures.flatMap(\.bytes)))
    let film = try RecordedFilm(path: path)
    #expect(film.numbers == (0..<14).map(UInt32.init))
    #expect(film.isInOrder && film.missingNumbers.isEmpty && film.rotation == rotation)
    #expect(film.flashTimes.count == 1 && abs(film.flashTimes[0] - 0.5) < 1e-5)
  }

  // MARK: Time

  @Test func captureTimesFollowTheCamerasClock() throws {
    let pictures = try SimulatedPicture.take(5, "ppm=1000,physics=fast", width: 64, height: 36, rate: "24000/1001")
    let start = pictures[0].captureTime
    for picture in pictures {
      let expected = Double(picture.sequence) * 1001 / 24000 / 1.001 * 1e9
      #expect(abs(Double(picture.captureTime - start) - expected) <= 1)
    }
  }

  @Test func jitterIsBoundedAndSeeded() throws {
    let plain = try SimulatedPicture.take(20, "physics=fast", width: 64, height: 36)
    let jittered = try SimulatedPicture.take(20, "physics=fast,jitter=2ms", width: 64, height: 36)
    #expect(
      try SimulatedPicture.take(20, "physics=fast,jitter=2ms", width: 64, height: 36).map(\.captureTime)
        == jittered.map(\.captureTime))
    let errors = zip(plain, jittered).map { $1.captureTime - $0.captureTime }
    #expect(errors.allSatisfy { abs($0) <= 2_000_000 } && Set(errors).count == 20)
  }

  @Test func realTimeHandsOutNoFrameBeforeItsExposureHasEnded() throws {
    let clock = SimulatedClock()
    let camera = try SimulatedCamera(
      .init(), request: CameraRequest(width: 64, height: 36, frameRate: FrameRate(parsing: "100")), clock: clock,
      frames: 4)
    try camera.start()
    #expect(clock.pictureStart != nil)
    for _ in 0..<3 {
      let picture = try #require(SimulatedPicture.take(1, from: camera).first)
      #expect(MonotonicTime.now() - picture.captureTime >= 5_000_000, "180° of 10 ms")
    }
  }

  // MARK: Memory

  @Test func withoutMemoryARealTimeFrameIsLostAndCounted() throws {
    let camera = try SimulatedCamera(
      .init(), request: CameraRequest(width: 64, height: 36, frameRate: FrameRate(parsing: "200")),
      clock: SimulatedClock(), frames: 1)
    try camera.start()
    guard case .frame(let held) = try camera.next() else {
      Issue.record("the first frame comes")
      return
    }
    for _ in 0..<3 {
      guard case .nothing = try camera.next() else {
        Issue.record("nothing comes while the only frame is out")
        return
      }
    }
    #expect(camera.framesWithoutBuffer >= 3)
    let last = held.sequence
    _ = held.takeImage()
    let next = try #require(SimulatedPicture.take(1, from: camera).first)
    #expect(next.sequence == last + 1 + camera.framesWithoutBuffer)
  }

  @Test func withoutMemoryAPulledCameraWaits() throws {
    let camera = try SimulatedPicture.pulled(width: 64, height: 36, frames: 1)
    try camera.start()
    guard case .frame(let held) = try camera.next(), case .nothing = try camera.next() else {
      Issue.record("one frame comes, then nothing")
      return
    }
    _ = held.takeImage()
    #expect(try SimulatedPicture.take(1, from: camera).first?.sequence == 1)
    #expect(camera.framesWithoutBuffer == 0)
  }

  /// Stands for a JPEG encoder: the luma plane's bytes.
  final class LumaEncoder: ImageEncoder {
    let format: FrameFormat
    init(format: FrameFormat) { self.format = format }
    func encode(_ frame: borrowing Frame, into target: UnsafeMutableRawBufferPointer) throws(CamrecError) -> Int {
      frame.withPlane(0) { target.copyMemory(from: $0) }
      return format.planeBytes(0)
    }
  }

  @Test func mjpegGoesThroughTheEncoder() throws {
    let camera = try SimulatedCamera(
      .init(), request: CameraRequest(width: 320, height: 180, pixelFormat: "mjpeg"),
      clock: SimulatedClock(pace: .pulled), frames: 2
    ) { format throws(CamrecError) in LumaEncoder(format: format) }
    #expect(camera.format.image == .encoded(FourCC("MJPG")))
    #expect(
      camera.format.color == ColorDescription(matrix: .rec601, range: .full, transfer: .rec709, primaries: .rec709))
    #expect(camera.pictureFormat.layout == .yuv422p)
    try camera.start()
    let reader = FrameNumberReader(width: 320, height: 180)
    for number in 0..<5 as Range<UInt32> {
      guard case .frame(let captured) = try camera.next(), case .encoded(let image) = captured.takeImage() else {
        Issue.record("an encoded image comes")
        return
      }
      #expect(image.width == 320 && image.height == 180 && image.byteCount == 320 * 180)
      #expect(image.withBytes { reader.read(luma: $0)?.mark.number } == number)
    }
  }

  // MARK: Faults

  static func script(_ text: String) throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("faults-\(UUID().uuidString).txt").path
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// What a pulled camera at 10 frames per second says, `<n>` for a frame, until it ends.
  private func events(_ text: String) throws -> [String] {
    let path = try Self.script(text)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let camera = try SimulatedPicture.pulled("physics=fast,faults=\(path)", width: 64, height: 36, rate: "10")
    try camera.start()
    var events: [String] = []
    while true {
      switch try camera.next() {
      case .frame(let frame): events.append("\(frame.sequence)")
      case .damaged(let sequence, _): events.append("damaged \(sequence)")
      case .nothing: events.append("nothing")
      case .ended(let end): return events + ["\(end)"]
      }
    }
  }

  @Test func faultsComeAsTheScriptSays() throws {
    #expect(try events("drop 2 3 # comment\n\n# more\nend 7\ndamage 6") == ["0", "1", "5", "damaged 6", "finished"])
    #expect(try events("stall 1 0.25s\nvanish 5") == ["0", "4", "unplugged"])
    #expect(try events("drop 0\ndamage 1 2\nchange 4\r\n") == ["damaged 1", "damaged 2", "3", "sourceChanged"])
    #expect(try events("drop 3 100\nvanish 5") == ["0", "1", "2", "unplugged"])
  }

  @Test(arguments: [false, true]) func aHangLastsUntilTheStreamIsStartedAgain(isDeaf: Bool) throws {
    let path = try Self.script(isDeaf ? "hang 2 deaf" : "hang 2")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let camera = try SimulatedPicture.pulled("faults=\(path)", width: 64, height: 36)
    try camera.start()
    #expect(try SimulatedPicture.take(2, from: camera).count == 2)
    guard case .nothing = try camera.next() else { return #expect(Bool(false), "it hangs") }
    #expect(try camera.restart())
    switch try camera.next() {
    case .nothing: #expect(isDeaf)
    case .frame(let frame): #expect(!isDeaf && frame.sequence == 2)
    default: #expect(Bool(false), "neither a frame nor nothing")
    }
  }

  @Test func aCameraThatIsUnpluggedCannotBeOpenedMeanwhile() throws {
    // A script of its own: what is unplugged is known by it.
    let path = try Self.script("vanish 1 600s\ndrop 7777")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let camera = try SimulatedPicture.pulled("faults=\(path)", width: 64, height: 36)
    try camera.start()
    _ = try SimulatedPicture.take(1, from: camera)
    guard case .ended(.unplugged) = try camera.next() else { return #expect(Bool(false), "it is unplugged") }
    let error = #expect(throws: CamrecError.self) {
      _ = try SimulatedPicture.pulled("faults=\(path)", width: 64, height: 36)
    }
    #expect(error?.message == "the simulated camera is unplugged" && error?.reason == .unplugged)
  }

  @Test func aFailureIsThrown() throws {
    let path = try Self.script("fail 1")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let camera = try SimulatedPicture.pulled("faults=\(path)", width: 64, height: 36)
    try camera.start()
    #expect(try SimulatedPicture.take(1, from: camera).count == 1)
    #expect(throws: CamrecError(.device, "the simulated camera broke down at frame 1, as its fault script says")) {
      _ = try SimulatedPicture.take(1, from: camera)
    }
  }

  @Test func lightChangesAtItsFrame() throws {
    let path = try Self.script("light 2 0.25\nlight 3 1")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let pictures = try SimulatedPicture.take(4, "physics=fast,transfer=apple-log,faults=\(path)")
    let area = try #require(SimulatedChart(width: 480, height: 270).step(6))
    let means = pictures.map { $0.codes(0, area).mean }
    #expect(abs(means[0] - means[1]) < 0.5 && abs(means[0] - means[3]) < 0.5)
    let transfer = try #require(TransferFunction(.appleLog))
    #expect(abs(means[0] - means[2] - 219 * (transfer.encode(0.18) - transfer.encode(0.045))) < 0.5)
  }

  @Test(arguments: [
    (
      "jump 3",
      "f.txt line 1: there is no fault 'jump'; there are change, damage, drop, end, fail, hang, light, stall, "
        + "unplug, vanish, xrun"
    ),
    ("# ok\ndrop", "f.txt line 2: 'drop' is not 'drop FRAME [COUNT]'"),
    ("drop -1", "f.txt line 1: 'drop -1' is not 'drop FRAME [COUNT]'"),
    ("drop 1 0", "f.txt line 1: 'drop 1 0' is not"),
    ("stall 3 2", "f.txt line 1: 'stall 3 2' is not 'stall FRAME DURATION'"),
    ("light 3 1001", "is not 'light FRAME FACTOR'"), ("vanish 3 4", "is not 'vanish FRAME [DURATION]'"),
    ("vanish 3 0s", "is not 'vanish FRAME [DURATION]'"), ("hang 3 dumb", "is not 'hang FRAME [deaf]'"),
    ("hang 3\nhang 9 deaf", "line 2: there is a second 'hang'; keep one"),
    ("unplug 1s 1s\nunplug 3s", "line 2: there is a second 'unplug'; keep one"),
    ("unplug 3", "is not 'unplug TIME [DURATION]'"), ("unplug 3s 0s", "is not 'unplug TIME [DURATION]'"),
    ("xrun 3 20ms", "is not 'xrun TIME DURATION'"),
    ("vanish 3\nend 5", "f.txt line 2: the camera ends twice, by 'vanish' and by 'end'; keep one"),
    ("light 3 nan", "is not 'light FRAME FACTOR'"),
  ])
  func badLinesAreNamed(text: String, sentence: String) {
    #expect { try FaultScript(parsing: text, name: "f.txt") } throws: { error in
      (error as? CamrecError)?.code == .input && "\(error)".contains(sentence)
    }
  }

  @Test func badScriptsAreNamed() throws {
    #expect { try FaultScript(path: "/nowhere/f.txt") } throws: {
      "\($0)".contains("cannot read the fault script /nowhere/f.txt")
    }
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("faults-\(UUID().uuidString)").path
    try Data([0xFF, 0xFE, 0x00]).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect { try FaultScript(path: path) } throws: {
      "\($0)".contains("is not a fault script: it must be text of at most 1 MiB")
    }
  }

  // MARK: Requests

  @Test func defaultsAreThoseOfTheCommandLine() throws {
    let camera = try SimulatedCamera(clock: SimulatedClock())
    #expect(camera.format.width == 1920 && camera.format.height == 1080 && camera.format.image == .raw(.nv12))
    #expect(
      camera.format.frameRate == FrameRate(parsing: "24") && camera.format.color == .rec709 && camera.warnings.isEmpty)
    #expect(camera.format.rotation == .none && !camera.format.isClip)
  }

  @Test(arguments: [
    (
      CameraRequest(width: 20, height: 5000),
      "\(lacking) size 20x5000: 64x36 to 7680x4320 are possible; choose --size 64x4320 or add --nearest"
    ),
    (
      CameraRequest(frameRate: FrameRate(parsing: "1000")),
      "\(lacking) rate of 1000 frames per second: 1 to 240 are possible; choose --fps 240 or add --nearest"
    ),
    (
      CameraRequest(pixelFormat: "rgb24"),
      "\(lacking) pixel format 'rgb24'; it has nv12, nv21, yuv420p, yv12, yuyv, uyvy, yuv422p, p010, p210, y210, "
        + "yuv420p10, yuv422p10, mjpeg"
    ),
    (
      CameraRequest(pixelFormat: "mjpeg"),
      "this build has no JPEG encoder for the simulated camera; choose another --pixel-format"
    ),
  ])
  func whatItDoesNotHaveIsRefused(request: CameraRequest, sentence: String) {
    #expect(throws: CamrecError(.usage, sentence)) { try SimulatedCamera(request: request, clock: SimulatedClock()) }
  }

  /// `ctl switch` and `ctl rate` take no `--nearest`.
  @Test(arguments: [
    (CameraRequest(width: 20, height: 5000), "; choose --size 64x4320"),
    (CameraRequest(frameRate: FrameRate(parsing: "1000")), "; choose --fps 240"),
  ])
  func aChangeIsGivenNoRemedyThatOnlyAStartHas(request: CameraRequest, remedy: String) {
    var change = request
    change.isChange = true
    let error = #expect(throws: CamrecError.self) { try SimulatedCamera(request: change, clock: SimulatedClock()) }
    #expect(error?.message.hasSuffix(remedy) == true, "\(String(describing: error))")
  }

  @Test func nearestTakesWhatThereIs() throws {
    let request = CameraRequest(width: 65, height: 20, frameRate: FrameRate(parsing: "0.5"), nearest: true)
    let camera = try SimulatedCamera(request: request, clock: SimulatedClock())
    #expect(
      camera.format.width == 65 && camera.format.height == 36 && camera.format.frameRate == FrameRate(parsing: "1"))
    #expect(
      camera.warnings == [
        "the simulated camera has no size 65x20; it takes 65x36",
        "the simulated camera has no rate of 1/2 frames per second; it takes 1",
      ])
  }

  @Test func optionsAreRead() throws {
    let options = try SimulatedCamera.Options(
      parsing: "seed=7,transfer=apple-log,range=full,shutter=172.8deg,iso=800,light=0.5,ppm=-50,microphone-ppm=+20.5,"
        + "jitter=1ms,pace=pulled,physics=fast")
    #expect(
      options.seed == 7 && options.transfer == .appleLog && options.range == .full && options.shutter == .angle(172.8))
    #expect(
      options.iso == 800 && options.light == 0.5 && options.partsPerMillion == -50
        && options.microphonePartsPerMillion == 20.5)
    #expect(options.jitter == 0.001 && options.pace == .pulled && options.physics == .fast)
    #expect(try SimulatedCamera.Options(parsing: "range=full,transfer=vlog").range == .full)
    #expect(try SimulatedCamera.Options(parsing: "shutter=1/50").shutter == .seconds(0.02))
    #expect(try SimulatedCamera.Options(parsing: "shutter=20ms").shutter == .seconds(0.02))
    #expect(try SimulatedCamera.Options(parsing: "shutter=20ms,iso=100").sensitivity == .fixed)
    for text in ["sensitivity=gain,shutter=20ms,iso=100", "shutter=20ms,iso=100,sensitivity=gain"] {
      #expect(try SimulatedCamera.Options(parsing: text).sensitivity == .gain, "the order does not matter")
    }
    #expect(try SimulatedCamera.Options(parsing: "") == SimulatedCamera.Options())
  }

  @Test(arguments: [
    (
      "sped=1",
      "there is no option 'sped'; there are seed, transfer, range, shutter, iso, sensitivity, time-step, delay, "
        + "kelvin, rotation, light, ppm, microphone-ppm, jitter, faults, pace, physics"
    ),
    ("seed=-1", "seed is '-1'; it must be a whole number from 0 to 18446744073709551615"),
    (
      "transfer=pq",
      "transfer is 'pq'; it must be one of rec709, apple-log, slog3, vlog, logc3, logc4, flog2, clog3, srgb"
    ),
    ("iso", "iso is ''; it must be a number from 25 to 102400"),
    ("iso=nan", "iso is 'nan'"),
    ("shutter=50", "shutter is '50'; it must be a time (1/50, 20ms) or an angle from 1deg to 360deg"),
    ("ppm=200000", "ppm is '200000'; it must be a number from -100000 to 100000"),
    ("light=0", "light is '0'; it must be a factor from 0.001 to 1000"),
    ("jitter=1s", "jitter is '1s'; it must be a duration from 0ms to 100ms"),
    ("sensitivity=loud", "sensitivity is 'loud'; it must be one of iso, thirds, gain, fixed"),
    ("time-step=20ms", "time-step is '20ms'; it must be a duration from 0us to 10ms"),
    ("delay=0", "delay is '0'; it must be frames, from 1 to 5"),
    ("kelvin=1000", "kelvin is '1000'; it must be a colour temperature from 2000 to 12000"),
    ("physics=best", "physics is 'best'; it must be fast or full"),
  ])
  func badOptionsAreNamed(text: String, sentence: String) {
    #expect { try SimulatedCamera.Options(parsing: text) } throws: { error in
      (error as? CamrecError)?.code == .usage && "\(error)".hasPrefix("--camera sim: " + sentence)
    }
  }

  @Test func aShutterHasToFitIntoTheFrame() {
    #expect { try SimulatedCamera(.init(parsing: "shutter=1/10"), clock: SimulatedClock()) } throws: {
      "\($0)" == "--camera sim: an exposure time of 0.1 s is longer than a frame at 24 frames per second"
    }
  }
}
