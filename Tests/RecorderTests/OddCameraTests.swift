import Bake
import Cameras
import Color
import Exposure
import Foundation
import Frames
import MovieTestKit
import Movies
import Platform
import Recorder
import RecorderAPI
import Testing

/// Cameras whose controls take what they are given for something else, or not at all: said, and recorded anyway.
@Suite struct OddCameraTests {
  /// Sees as many frames; what was said meanwhile.
  private func see(
    _ frames: Int, _ camera: OddCamera, _ service: ExposureService
  ) throws -> (account: [ExposureRecord], told: [ExposureRecord], warnings: [String]) {
    var warnings: [String] = [], account: [ExposureRecord] = [], told: [ExposureRecord] = []
    try camera.start()
    while account.count < frames {
      guard case .frame(let captured) = try camera.next() else { continue }
      let sequence = captured.sequence
      if let exposure = captured.exposure { told.append(exposure) }
      let seen = captured.image.withFrame { frame in
        service.see(frame, sequence: sequence, told: nil) { warnings.append($0) }
      }
      account.append(try #require(seen))
    }
    return (account, told, warnings)
  }

  /// Half of every ISO speed, above its lowest.
  @Test func anotherValueThanWasSetIsSaidOnce_andIsTheOneThatIsTold() throws {
    var script = OddControls.Script()
    script.taken = { control, number in control == .iso ? max(25, number / 2) : number }
    let camera = try OddCamera("light=0.25", odd: script)
    let service = try #require(try ExposureService.open(camera, options: ExposureOptions()).service)
    let (account, told, warnings) = try see(48, camera, service)
    #expect(warnings.count == 1, "\(warnings)")
    let sentence = try #require(warnings.first)
    #expect(
      sentence.wholeMatch(
        of: /odd camera was set to 1\/48 s and ISO \d+ but reports 1\/48 s and ISO \d+; recording what it reports/)
        != nil, "\(sentence)")
    for (account, told) in zip(account, told) { #expect(abs(log2(account.iso / told.iso)) < 0.01) }
    #expect(abs(log2(service.status.iso / (try #require(told.last).iso))) < 0.01)
    service.close()
  }

  /// 1/60 s, whatever it is asked for.
  @Test func aTimeThatIsNotTakenIsTheAngleThatIsReached() throws {
    var script = OddControls.Script()
    script.taken = { control, number in control == .exposureTime ? 1.0 / 60 : number }
    let camera = try OddCamera("light=0.5", odd: script)
    let service = try #require(try ExposureService.open(camera, options: ExposureOptions()).service)
    #expect(service.warnings == ["the camera reaches a shutter angle of 144.00° instead of 180°"])
    let (account, _, _) = try see(24, camera, service)
    #expect(account.allSatisfy { abs($0.exposureTime - 1.0 / 60) < 1e-8 })
    #expect(abs(service.status.reachedShutterAngle - 144) < 0.01 && service.status.shutterAngle == 180)
    service.close()
  }

  @Test func aBusyControlIsSaidOnce_andTheFramesGoOn() throws {
    var script = OddControls.Script()
    script.failure = CamrecError(.device, "iso of odd camera is busy and was not changed")
    let camera = try OddCamera("light=0.25", odd: script)
    let service = try #require(try ExposureService.open(camera, options: ExposureOptions()).service)
    let (account, told, warnings) = try see(48, camera, service)
    #expect(warnings == ["cannot set the exposure: iso of odd camera is busy and was not changed"])
    #expect(Set(told.map(\.iso)).count == 1)
    #expect(account.allSatisfy { abs(log2($0.iso / told[0].iso)) < 0.01 }, "what was not set is not told")
    service.close()
  }

  @Test func aTimeThatCanOnlyBeReadIsSaid() throws {
    var script = OddControls.Script()
    script.offer = { offer in
      guard offer.control == .exposureTime else { return offer }
      return ControlOffer(.exposureTime, offer.kind, isReadOnly: true)
    }
    let opened = try ExposureService.open(try OddCamera("", odd: script), options: ExposureOptions())
    #expect(opened.service == nil)
    #expect(
      opened.sentence
        == "exposure-time of odd camera can only be read; the camera sets its own exposure")
  }

  @Test(arguments: [
    (Double.nan, 0.04), (0.04, 0.0001), (-3, -1), (0, 0),
  ])
  func aRangeThatIsNoneLeavesTheExposureAsItIs(least: Double, most: Double) throws {
    var script = OddControls.Script()
    script.offer = { offer in
      guard offer.control == .exposureTime else { return offer }
      return ControlOffer(.exposureTime, .number(minimum: least, maximum: most, step: 0))
    }
    let opened = try ExposureService.open(try OddCamera("", odd: script), options: ExposureOptions())
    #expect(opened.service == nil)
    #expect(
      opened.sentence
        == "the exposure of odd camera stays as it is: odd camera reports no range of exposure times; use "
          + "--exposure camera"
    )
  }

  /// A lower rate does not help a camera that ends before the frame does.
  @Test(arguments: [
    (0.01, "1/100000 s to 1/100 s; choose shorter exposure times"),
    (1.0 / 24, "1/100000 s to 1/24 s; a lower --fps allows longer ones"),
  ])
  func aBracketBeyondTheCamera_hasTheRemedyThatHelps(most: Double, words: String) throws {
    var script = OddControls.Script()
    script.offer = { offer in
      guard offer.control == .exposureTime else { return offer }
      return ControlOffer(.exposureTime, .number(minimum: 1e-5, maximum: most, step: 0))
    }
    let camera = try OddCamera("", odd: script), speed = try ShutterSpeed(parsing: "1/8")
    let error = #expect(throws: CamrecError.self) {
      try BracketCapture(camera, converter: nil).take([[speed]], baseISO: 100) { _, _ in }
    }
    #expect(error?.message == "odd camera cannot expose 1/8: at 24 fps its exposure times are \(words)")
  }

  /// The line at the start and the warning agree on what follows the light.
  @Test(arguments: [
    (ExposureOptions.Mode.shutterPriority, "1/48 s (180.00°), fixed gain", "its exposure does not follow"),
    (.auto, "the exposure time follows the light", "only its exposure time follows"),
  ])
  func aGainThatCannotBeSet_followsNothing(mode: ExposureOptions.Mode, summary: String, rest: String) throws {
    var script = OddControls.Script()
    script.offer = { $0.control == .iso ? nil : $0 }
    let opened = try ExposureService.open(try OddCamera("", odd: script), options: ExposureOptions(mode: mode))
    let service = try #require(opened.service)
    #expect(service.summary == summary)
    #expect(service.warnings == ["the camera's gain cannot be set, so \(rest) the light"])
  }

  @Test(arguments: [ControlValue.none, .number(.nan), .number(-5), .number(1e300)])
  func aTimeThatIsNoneIsNoTime(value: ControlValue) throws {
    var script = OddControls.Script()
    script.value = { $0 == .exposureTime ? value : nil }
    let camera = try OddCamera("light=0.5", odd: script)
    let opened: (service: ExposureService?, sentence: String?)
    do {
      opened = try ExposureService.open(camera, options: ExposureOptions())
    } catch {
      #expect(error.code == .device && error.message == "odd camera reports no exposure time; use --exposure camera")
      return
    }
    let service = try #require(opened.service)
    let (account, _, _) = try see(24, camera, service)
    #expect(account.allSatisfy { abs($0.exposureTime - 1.0 / 48) < 1e-8 }, "the angle's, whatever it was before")
    service.close()
  }

  // MARK: How late it is

  /// A camera with ISO speeds that does not say how late they show: the delay alone is measured, before a film.
  @Test(arguments: [1, 3, 5])
  func anUnknownDelayIsMeasured(delay: Int) throws {
    let identity = "odd-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: GainCalibration.path(identity: identity)) }
    let camera = try OddCamera("light=0.5,delay=\(delay)", identity: identity, delay: nil, odd: OddControls.Script())
    let service = try #require(try ExposureService.open(camera, options: ExposureOptions()).service)
    let (frames, warnings) = try film(camera, service, frames: 12)
    #expect(frames == 12)
    #expect(warnings.count == 1, "\(warnings)")
    #expect(warnings.first?.hasPrefix("odd camera was calibrated in ") == true)
    let words = delay == 1 ? "1 frame" : "\(delay) frames"
    #expect(warnings.first?.hasSuffix(" s: settings show after \(words)") == true)
    #expect(GainCalibration.kept(identity: identity)?.delay == delay)
    let again = try OddCamera("light=0.5,delay=\(delay)", identity: identity, delay: nil, odd: OddControls.Script())
    let second = try #require(try ExposureService.open(again, options: ExposureOptions()).service)
    #expect(try film(again, second, frames: 12).warnings == [])
  }

  private func film(
    _ camera: OddCamera, _ service: ExposureService, frames: Int
  ) throws -> (frames: Int, warnings: [String]) {
    let options = SessionOptions(overload: .wait, limit: .frames(Int64(frames)))
    let format = FrameFormat(
      width: camera.format.width, height: camera.format.height, layout: .nv12, color: camera.format.color)
    let baker = try Baker(
      input: format, outputLayout: .nv12, outputColor: format.color, lut: nil, interpolation: .tetrahedral, workers: 1,
      frames: options.bakedFrames)
    let sink = CollectingSink(), notes = RecordingSessionTests.Notes()
    let session = RecordingSession(
      parts: RecordingSession.Parts(
        camera: camera, microphone: nil, converter: nil, baker: baker, resampler: nil, exposure: service,
        openSink: { _ in (sink, "") }),
      options: options, timeBase: Rational(1, 24000))
    let summary = session.run(observer: notes)
    #expect(summary.failure == nil && summary.counts.expected == frames && summary.counts.written == frames)
    return (sink.contents.ticks.count, notes.warnings)
  }

  // MARK: Frames that wait

  /// Encoded pictures are read behind the bake's queue: whatever waits there, each frame has the setting that it was
  /// taken with, and the light is met without a swing.
  @Test(arguments: [1, 2, 5], [0, 1, 4])
  func theAccountIsRightHoweverLateFramesAreSeen(delay: Int, waiting: Int) throws {
    let script = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).txt").path
    try "light 60 0.25".write(toFile: script, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: script) }
    let camera = try OddCamera("light=0.5,delay=\(delay),faults=\(script)", delay: delay, odd: OddControls.Script())
    let service = try #require(try ExposureService.open(camera, options: ExposureOptions()).service)
    let queue = BoundedQueue<CapturedFrame>(capacity: waiting + 1)
    try camera.start()
    var told: [Double] = [], account: [Double] = []
    while account.count < 130 {
      guard case .frame(let captured) = try camera.next() else { continue }
      service.captured(sequence: captured.sequence)
      if let exposure = captured.exposure { told.append(exposure.iso) }
      _ = queue.push(captured)
      guard queue.depth > waiting, let late = queue.poll() else { continue }
      let sequence = late.sequence
      let seen = late.image.withFrame { frame in
        service.see(frame, sequence: sequence, told: nil) { Issue.record("\($0)") }
      }
      account.append(try #require(seen).iso)
    }
    for (frame, pair) in zip(told, account).enumerated() {
      #expect(abs(log2(pair.0 / pair.1)) < 0.002, "frame \(frame): \(pair)")
    }
    let end = log2(try #require(account.last)), overshoot = account.dropFirst(60).map { log2($0) - end }.max() ?? 0
    #expect(overshoot < 0.15, "\(account.dropFirst(60))")
    #expect(abs(end - log2(account[58]) - 2) < 0.2, "two stops less light are two stops more gain")
    service.close()
  }
}
