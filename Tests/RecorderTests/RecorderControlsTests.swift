import ControlCodec
import Frames
import Platform
import Recorder
import RecorderAPI
import RecorderTestKit
import Testing

/// What a recorder says that can be set, and whether that is so.
@Suite struct RecorderControlsTests {
  private static func command(
    _ control: ControlDescription, _ value: ControlDescriptionValue
  ) throws(CamrecError) -> RecorderCommand {
    guard case .command(let command) = try control.request(setting: value).meaning() else {
      throw CamrecError(.defect, "\(control.id) is set by no command")
    }
    return command
  }

  /// Sets each control to what it is set to: it is accepted, or refused in the words of the description.
  @Test(arguments: [ExposureOptions.Mode.shutterPriority, .auto, .manual, .locked])
  func eachControl_isSetByItsOwnRequest(_ mode: ExposureOptions.Mode) throws {
    let outcome = try RecorderServiceTests().run(exposure: ExposureOptions(mode: mode)) { service in
      try RecorderServiceTests.wait(service, "frames are written") { $0.ledger.written >= 3 }
      let controls = try service.controls()
      #expect(Set(controls.map(\.id)).count == controls.count, "each name once")
      for control in controls where !control.needsNewFilm && !control.isReadOnly {
        guard let value = control.value else { continue }
        let command = try Self.command(control, value)
        do throws(CamrecError) {
          try service.perform(command)
          #expect(control.refusal == nil, "\(control.id) was set")
        } catch {
          #expect(control.refusal == error.sentence.plain, "\(control.id)")
        }
      }
      #expect(controls.contains { $0.refusal == nil && !$0.isReadOnly })
      let white = try #require(controls.first { $0.id == "white-balance" })
      #expect(white.kind == .number && white.unit == "K" && white.refusal == nil)
      #expect(white.choices?.contains("auto") == true && white.choices?.contains("daylight") == true)
      _ = try service.perform(try Self.command(white, .text("tungsten")))
      let again = try service.controls()
      #expect(again.first { $0.id == "white-balance" }?.value == .number(3200))
      let rate = try #require(again.first { $0.id == "rate" })
      let source = try #require(service.state.source)
      #expect(rate.needsNewFilm && rate.value == .text(source.frameRate))
      let focus = try #require(again.first { $0.id == "focus" })
      #expect(try Self.command(focus, .text("0.5,0.25")) == .focus(x: 0.5, y: 0.25))
      #expect(try Self.command(focus, .text("release")) == .releaseFocus)
    }
    #expect(outcome.failure == nil)
  }

  /// Both ends are accepted, and nothing beyond them.
  @Test func rangesAreTheCameras() throws {
    let films = RecorderServiceTests.Films()
    let outcome = try RecorderServiceTests().run(films, exposure: ExposureOptions(mode: .manual)) { service in
      try RecorderServiceTests.wait(service, "frames are written") { $0.ledger.written >= 3 }
      let controls = try service.controls()
      for id in ["iso", "angle"] {
        let control = try #require(controls.first { $0.id == id })
        let least = try #require(control.minimum), most = try #require(control.maximum)
        for value in [least, most] {
          #expect(RecorderServiceTests.refusal(service, try Self.command(control, .number(value))) == nil, "\(id)")
        }
        for value in [least * 0.9, most * 1.1] where id == "iso" || value > most {
          // An angle beyond the circle is no angle, and is refused where it is read.
          let command = try? Self.command(control, .number(value))
          #expect(command.map { RecorderServiceTests.refusal(service, $0) != nil } ?? true, "\(id) \(value)")
        }
      }
    }
    #expect(outcome.failure == nil)
  }

  @Test func theCamera_isWhatACommandTakes() throws {
    let films = RecorderServiceTests.Films()
    let written = "\(films.camera),seed=3"
    _ = try RecorderServiceTests().run(films) { service in
      try RecorderServiceTests.wait(service, "frames are written") { $0.ledger.written >= 3 }
      #expect(try service.controls().first { $0.id == "camera" }?.value == .text(written))
      #expect(service.state.source?.camera != written)
    }
  }

  /// No camera is open, and the exposure would be its own.
  @Test func withoutACamera_theExposureAndTheSourceAreDescribed() throws {
    let service = RecorderService(exposure: nil, standsBy: true), controls = try service.controls()
    let source = ["rate", "size", "format", "camera"]
    #expect(controls.map(\.id) == ["mode", "angle", "iso", "ev", "metering", "spot", "lock"] + source)
    for control in controls {
      #expect(control.needsNewFilm == source.contains(control.id))
      #expect((control.refusal == nil) == source.contains(control.id), "\(control)")
    }
    let mode = try #require(controls.first)
    #expect(mode.choices == ["auto", "shutter-priority", "manual", "locked", "camera"] && mode.value == .text("camera"))
    let size = try #require(controls.first { $0.id == "size" })
    #expect(try Self.command(size, .text("1280x720")) == .source(SourceChange(size: "1280x720")))
  }

  @Test func descriptions_surviveTheirLine() throws {
    var control = ControlDescription("ev", .number)
    (control.minimum, control.maximum, control.step, control.unit) = (-16, 16, 1.0 / 1024, "EV")
    (control.value, control.defaultValue) = (.number(1.0 / 3), .number(0))
    var flag = ControlDescription("autofocus", .flag, request: ["do": "set", "name": "autofocus"])
    (flag.value, flag.refusal) = (.flag(true), "not now")
    var text = ControlDescription("camera", .text)
    (text.value, text.choices) = (.text("nan"), ["sim", "clip:"])
    let controls = [control, flag, text, ControlDescription("focus", .point)]
    let line = ControlMessage.answer(controls, id: .integer(7)).line
    #expect(try ControlMessage(line: line).controls == controls)
    #expect(controls.map(\.description) == [
      "ev: \(1.0 / 3) EV (-16 to 16 EV)", "autofocus: on (on or off; not now: not now)", "camera: nan (sim, clip:)",
      "focus: - (X,Y)",
    ])
  }

  /// A later version may have more kinds, and commands that this one does not know.
  @Test func laterKinds_readAsText() throws {
    let line = #"{"controls":[{"id":"mood","kind":"colour wheel","isReadOnly":false,"member":"value","#
      + #""needsNewFilm":false,"request":{"do":"feel"},"shade":3,"value":"blue"}],"ok":true}"#
    let control = try #require(try ControlMessage(line: Array(line.utf8)).controls?.first)
    #expect(control.kind == .text && control.value == .text("blue") && control.isEnabled)
    #expect(throws: CamrecError(.usage, "this version of camrec cannot set mood")) {
      try control.request(setting: .text("red"))
    }
  }

  /// The question goes beside the commands, and a refusal keeps its id.
  @Test func question_isAnswered_beforeAndAfterAHello() throws {
    let recorder = ScriptedRecorder(), bell = MonotonicSemaphore()
    recorder.offer([ControlDescription("ev", .number)])
    var conversation = ControlConversation(with: recorder) { bell.signal() }
    let first = conversation.answer(Array(#"{"do":"controls","id":1}"#.utf8))
    #expect(try ControlMessage(line: try #require(first)).controls?.map(\.id) == ["ev"])
    _ = conversation.answer(Array(#"{"do":"hello","id":2,"outOfOrder":true}"#.utf8))
    #expect(conversation.answer(Array(#"{"do":"controls","id":3}"#.utf8)) == nil, "the answer comes later")
    bell.wait()
    let later = conversation.nextAnswer()
    let message = try ControlMessage(line: try #require(later))
    #expect(message.controls?.map(\.id) == ["ev"] && message.id == .integer(3))
    let refused = conversation.answer(Array(#"{"do":"controls"}"#.utf8))
    #expect(try ControlMessage(line: try #require(refused)).error?.message.contains("needs an \"id\"") == true)
    #expect(recorder.asked == [])
  }
}
