import ControlCodec
import Exposure
import Foundation
import Frames
import Platform
import Recorder
import RecorderAPI
import RecorderTestKit
import TestKit
import Testing

/// The protocol of a running recorder, without a transport.
@Suite struct ControlConversationTests {
  let recorder = ScriptedRecorder()

  private func answer(_ line: String) throws -> ControlMessage {
    var conversation = ControlConversation(with: recorder)
    let answer = conversation.answer(Array(line.utf8))
    return try ControlMessage(line: try #require(answer))
  }

  static let commands: [(String, RecorderCommand)] = [
    (#"{"do":"start"}"#, .start),
    (#"{"do":"stop"}"#, .stop),
    (#"{"do":"quit"}"#, .quit),
    (#"{"do":"mode","value":"shutter-priority"}"#, .exposure(.mode(.shutterPriority))),
    (#"{"do":"mode","value":"locked"}"#, .exposure(.mode(.locked))),
    (#"{"do":"angle","value":"172.8"}"#, .exposure(.angle(angle("172.8")))),
    (#"{"do":"angle","value":172.8}"#, .exposure(.angle(angle("172.8")))),
    (#"{"do":"angle","value":90}"#, .exposure(.angle(angle("90")))),
    (#"{"do":"iso","value":800}"#, .exposure(.iso(800))),
    (#"{"do":"iso","value":"800"}"#, .exposure(.iso(800))),
    (#"{"do":"ev","value":"+1/3"}"#, .exposure(.bias(Stops(units: 341)))),
    (#"{"do":"ev","value":"-1 2/3"}"#, .exposure(.bias(Stops(units: -1707)))),
    (#"{"do":"ev","value":-0.5}"#, .exposure(.bias(Stops(units: -512)))),
    (#"{"do":"ev","value":0}"#, .exposure(.bias(.zero))),
    (#"{"do":"ev","value":0.3330078125}"#, .exposure(.bias(Stops(units: 341)))),
    (#"{"do":"ev","value":-0.3333333333333333}"#, .exposure(.bias(Stops(units: -341)))),
    (#"{"do":"ev","value":1e-05}"#, .exposure(.bias(.zero))),
    (#"{"do":"angle","value":25.714285714285715}"#, .exposure(.angle(angle("25.714286")))),
    (#"{"do":"metering","value":"highlight"}"#, .exposure(.metering(.highlightWeighted))),
    (#"{"do":"metering","value":"spot:0.25,1"}"#, .exposure(.metering(.spot(x: 0.25, y: 1)))),
    (#"{"do":"spot","value":"0.25,1"}"#, .exposure(.metering(.spot(x: 0.25, y: 1)))),
    (#"{"do":"spot","value":[0.25,1]}"#, .exposure(.metering(.spot(x: 0.25, y: 1)))),
    (#"{"do":"lock"}"#, .exposure(.lock(true))),
    (#"{"do":"unlock"}"#, .exposure(.lock(false))),
    (#"{"do":"white-balance","value":"daylight"}"#, .control(name: "white-balance", value: "daylight")),
    (#"{"do":"white-balance","value":5600}"#, .control(name: "white-balance", value: "5600")),
    (#"{"do":"set","name":"torch","value":"on"}"#, .control(name: "torch", value: "on")),
    (#"{"do":"set","name":"autofocus","value":true}"#, .control(name: "autofocus", value: "true")),
    (#"{"do":"set","name":"focus-point","value":[0.5,0.25]}"#, .control(name: "focus-point", value: "0.5,0.25")),
    (#"{"do":"set","name":"focus-point","value":"0.5,0.25"}"#, .control(name: "focus-point", value: "0.5,0.25")),
    (#"{"do":"focus"}"#, .focus(x: nil, y: nil)),
    (#"{"do":"focus","value":[0.5,0.75]}"#, .focus(x: 0.5, y: 0.75)),
    (#"{"do":"focus","value":"release"}"#, .releaseFocus),
    (#"{"do":"rate","value":"24000/1001"}"#, .source(SourceChange(frameRate: FrameRate(Rational(24000, 1001))))),
    (#"{"do":"rate","value":23.976}"#, .source(SourceChange(frameRate: FrameRate(Rational(24000, 1001))))),
    (#"{"do":"rate","value":23.976023976023978}"#, .source(SourceChange(frameRate: FrameRate(Rational(24000, 1001))))),
    (#"{"do":"rate","value":25}"#, .source(SourceChange(frameRate: FrameRate(Rational(25))))),
    (#"{"do":"format","value":"NV12"}"#, .source(SourceChange(pixelFormat: "nv12"))),
    (#"{"do":"marker","value":"take 2"}"#, .marker("take 2")),
    (#"{"do":"marker"}"#, .marker(nil)),
    (#"{"do":"camera","value":"sim:seed=2"}"#, .source(SourceChange(camera: "sim:seed=2"))),
    (
      #"{"do":"switch","camera":"/dev/video2","fps":30,"size":"1280X720","pixelFormat":"auto"}"#,
      .source(
        SourceChange(camera: "/dev/video2", frameRate: FrameRate(Rational(30)), size: "1280x720", pixelFormat: "auto"))
    ),
    (#"{"do":"forget"}"#, .forget), (#"{"do":"keep"}"#, .keep),
    (#"  { "do" : "start" }"# + "\r", .start),
  ]

  private static func angle(_ text: String) -> ShutterAngle {
    guard let angle = try? ShutterAngle(parsing: text) else { preconditionFailure("\(text) is an angle") }
    return angle
  }

  @Test(arguments: commands)
  func everyCommandArrives_asItWasMeant(_ line: String, _ command: RecorderCommand) throws {
    let answer = try answer(line)
    #expect(answer.ok == true, "\(answer.error?.message ?? "")")
    #expect(answer.state == recorder.state)
    #expect(recorder.asked == [command])
  }

  @Test func everyWordIsTried() {
    let tried = ControlConversationTests.commands.map(\.0)
    for word in ControlWord.allCases where word != .state && word != .watch {
      #expect(tried.contains { $0.contains("\"\(word.rawValue)\"") }, "\(word)")
    }
  }

  @Test func state_isTold_andNothingIsPerformed() throws {
    var state = RecorderState(phase: .recording)
    state.film = "/films/take.mov"
    state.started = Date(timeIntervalSince1970: 1_800_000_000.25)
    state.ledger.expected = 240
    state.ledger.lost = ["deviceGap": 2]
    state.whiteBalance = "5500"
    state.source = RecorderState.Source(
      camera: "sim", width: 1920, height: 1080, frameRate: "24000/1001", pixelFormat: "yuyv")
    state.exposure = ExposureStatus(
      mode: "shutter-priority", state: .settled, exposureTime: 0.02, shutterAngle: 180, reachedShutterAngle: 179.71,
      iso: 400, isCalibrated: true, gain: 2, bias: -.infinity, metering: "centre", isLocked: false, missingEV: 0)
    recorder.state = state
    let answer = try answer(#"{"do":"state"}"#)
    #expect(answer.state == state, "all of it, whatever its numbers are")
    #expect(recorder.asked == [])
  }

  @Test(arguments: [#"1"#, #""a""#, #"2.5"#, #"9007199254740993"#])
  func id_comesBackAsItIs(_ id: String) throws {
    var conversation = ControlConversation(with: recorder)
    let answer = conversation.answer(Array(#"{"do":"state","id":\#(id)}"#.utf8))
    #expect(String(decoding: try #require(answer), as: UTF8.self).contains("\"id\":\(id),"))
  }

  static let refusals: [(String, String)] = [
    (#"{"do":"dance"}"#, "there is no command 'dance'; the commands are state, watch, start, stop, quit, mode"),
    (#"{"value":1}"#, #"the request has no "do"; write one, as in {"do":"state"}"#),
    (#"{"do":7}"#, #""do" must be a string, as in {"do":"state"}"#),
    (#"{"do":"state","id":[1]}"#, #"the "id" of a request must be a number or a string"#),
    (#"{"do":"state","id":null}"#, #"the "id" of a request must be a number or a string"#),
    (#"{"do":"ev"}"#, "'ev' needs a value, as in 'ev +1/3'"),
    (#"{"do":"set","value":1}"#, "'set' needs a name, as in 'set torch on'"),
    (#"{"do":"lock","value":true}"#, #"'lock' takes no members; remove "value""#),
    (#"{"do":"ev","value":1,"unit":"EV"}"#, #"'ev' takes only "value"; remove "unit""#),
    (#"{"do":"ev","value":{"n":1}}"#, #""value" of 'ev' must be a string or a number"#),
    (#"{"do":"ev","value":null}"#, #""value" of 'ev' must be a string or a number"#),
    (#"{"do":"iso","value":[800]}"#, #""value" of 'iso' must be a string or a number"#),
    (
      #"{"do":"spot","value":["0.5","0.5"]}"#,
      #""value" of 'spot' must be a string or a number, or two numbers in an array"#
    ),
    (#"{"do":"ev","value":17}"#, "an exposure offset is -16 to 16 EV, as in 0.5 or +1/3; this is '17'"),
    (#"{"do":"ev","value":"1/0"}"#, "an exposure offset is -16 to 16 EV"),
    (#"{"do":"ev","value":"bright"}"#, "this is 'bright'"),
    (#"{"do":"ev","value":true}"#, "this is 'true'"),
    (
      #"{"do":"mode","value":"sports"}"#,
      "the exposure must be one of auto, shutter-priority, manual, locked, camera, not 'sports'"
    ),
    (#"{"do":"angle","value":0}"#, "a shutter angle is greater than 0° and at most 360°"),
    (#"{"do":"angle","value":361}"#, "a shutter angle is greater than 0° and at most 360°"),
    (#"{"do":"iso","value":0}"#, "an ISO speed must be 1 to 10000000, not '0'"),
    (
      #"{"do":"metering","value":"sideways"}"#,
      "the metering is average, centre, highlight or spot:X,Y; this is 'sideways'"
    ),
    (#"{"do":"spot","value":[2,0]}"#, "a point in the frame is X,Y, each from 0 (left, top) to 1 (right, bottom)"),
    (
      #"{"do":"spot","value":[0.5]}"#,
      #""value" of 'spot' must be a string or a number, or two numbers in an array"#
    ),
    (
      #"{"do":"set","name":"zoom","value":[2]}"#,
      #""value" of 'set' must be a string or a number, or two numbers in an array"#
    ),
    (#"{"do":"set","name":["zoom",2],"value":2}"#, #""name" of 'set' must be a string or a number"#),
    (#"{"do":"focus","value":"there"}"#, "a point in the frame is X,Y"),
    (#"{"do":"rate","value":0}"#, "a frame rate is greater than 0 and at most 1000"),
    (#"{"do":"rate","value":1e300}"#, "a frame rate is greater than 0 and at most 1000"),
    (#"{"do":"marker","value":"a\nb"}"#, "a marker must be a text of 1 to 200 bytes on one line"),
    (#"{"do":"switch"}"#, "'switch' needs a new camera, fps, size or pixelFormat"),
    (#"{"do":"switch","size":"1920"}"#, "write width and height in pixels, as in 1920x1080"),
    (#"{"do":"set","name":"shutter","value":1}"#, "there is no control 'shutter'; the controls are exposure-mode"),
    (
      #"{"do":"set","name":"torch=on","value":1}"#,
      "'set' takes the name of a control and a value, as in 'set torch on'"
    ),
    (#"{"do":"watch","value":1}"#, #""value" of 'watch' must be true or false, not '1'"#),
    (#"{"do":"watch","changes":"all"}"#, #""changes" of 'watch' must be true or false, not 'all'"#),
    (#"{"do":"watch","unit":1}"#, #"'watch' takes only "value"; remove "unit""#),
    (#"{"do":"state","changes":true}"#, #"'state' takes no members; remove "changes""#),
    (#"{"do":"controls","name":"ev"}"#, #"'controls' takes no members; remove "name""#),
    (#"{"do":"hello","fast":true}"#, #"'hello' takes only "deadline", "outOfOrder"; remove "fast""#),
    (#"{"do":"hello","outOfOrder":1}"#, #""outOfOrder" of 'hello' must be true or false"#),
    (#"{"do":"hello","outOfOrder":true}"#, #"with "outOfOrder", each request needs an "id""#),
    ("hello", #"a request must be a JSON object on one line, as in {"do":"state"}, not 'hello'"#),
    (#"["do"]"#, "a request must be a JSON object on one line"),
    (#"{"do":"state""#, "a request must be a JSON object on one line"),
    (
      String(repeating: "[", count: 60_000),
      "a request must be a JSON object on one line, as in {\"do\":\"state\"}, not '[[["
    ),
  ]

  @Test(arguments: refusals)
  func whatCannotBeMeant_isRefusedInASentence(_ line: String, _ sentence: String) throws {
    let answer = try answer(line)
    #expect(answer.ok == false && answer.state == nil)
    #expect(answer.error?.code == "usage")
    #expect(answer.error?.message.contains(sentence) == true, "\(answer.error?.message ?? "")")
    #expect(recorder.asked == [])
  }

  @Test func bytesThatAreNoText_areRefused() throws {
    var conversation = ControlConversation(with: recorder)
    let answer = conversation.answer([0x7b, 0xff, 0xfe, 0x7d])
    #expect(
      try ControlMessage(line: try #require(answer)).error?.message
        == "a request must be a JSON object in UTF-8 on one line; this line is not UTF-8")
  }

  @Test func recordersRefusal_keepsItsCodeSentenceAndCause() throws {
    let refusal = CamrecError(.device, "the camera has no torch; light is as it is", cause: "EINVAL")
    recorder.fail(with: refusal)
    #expect(try answer(#"{"do":"set","id":4,"name":"torch","value":"on"}"#).error?.error == refusal)
  }

  @Test func emptyLinesAskForNothing() {
    var conversation = ControlConversation(with: recorder)
    for line in ["", " ", "\r", " \t"] { #expect(conversation.answer(Array(line.utf8)) == nil) }
  }

  @Test func watcherIsToldOfChanges_ofCountersTenTimesASecondAtMost() throws {
    let feed = StateFeed(of: recorder)
    var conversation = ControlConversation(with: recorder, feed: feed)
    let start = MonotonicTime.now()
    func look(after milliseconds: Int64) { feed.look(now: start.advanced(by: milliseconds * 1_000_000)) }
    look(after: 0)
    #expect(conversation.news() == nil, "nobody watches")
    let answer = conversation.answer(Array(#"{"do":"watch"}"#.utf8), now: start)
    #expect(try ControlMessage(line: try #require(answer)).state == recorder.state && conversation.isWatching)
    look(after: 1000)
    #expect(conversation.news() == nil, "nothing has changed")
    recorder.state.seconds = 1
    look(after: 1099)
    #expect(conversation.news() != nil, "for the first time in a second")
    recorder.state.seconds = 2
    recorder.state.whiteBalance = "3200"
    look(after: 1198)
    let line = conversation.news()
    let news = try ControlMessage(line: try #require(line))
    #expect(news.event == "state" && news.state?.whiteBalance == "3200" && news.ok == nil, "no counter, at once")
    #expect(news.state?.seconds == 1, "too soon")
    #expect(conversation.news() == nil, "told already")
    look(after: 1199)
    let counted = conversation.news()
    #expect(try ControlMessage(line: try #require(counted)).state?.seconds == 2)
    recorder.state.seconds = 0
    recorder.state.films = 2
    look(after: 1200)
    let another = conversation.news()
    #expect(try ControlMessage(line: try #require(another)).state == recorder.state, "another film, other counters")
    recorder.state.seconds = 4
    look(after: 1201)
    #expect(conversation.news() == nil)
    let last = conversation.lastNews()
    #expect(try ControlMessage(line: try #require(last)).state?.seconds == 4, "there is no later occasion")
    _ = conversation.answer(Array(#"{"do":"watch","value":false}"#.utf8), now: start)
    recorder.state.films = 3
    look(after: 9000)
    #expect(conversation.news() == nil && !conversation.isWatching)
    #expect(conversation.lastNews() == nil)
  }

  @Test func firstVersion_hasNoAge_andNoNewsOfIt() throws {
    let feed = StateFeed(of: recorder)
    var conversation = ControlConversation(with: recorder, feed: feed)
    recorder.state.whiteBalance = "5600"
    recorder.state.whiteBalanceAge = 1
    for line in [#"{"do":"state"}"#, #"{"do":"lock"}"#, #"{"do":"watch"}"#] {
      let answer = conversation.answer(Array(line.utf8))
      #expect(!String(decoding: try #require(answer), as: UTF8.self).contains("Age"))
    }
    recorder.state.whiteBalanceAge = 2
    feed.look()
    #expect(conversation.news() == nil, "time goes by")
    recorder.state.films = 1
    feed.look()
    let news = conversation.news()
    #expect(!String(decoding: try #require(news), as: UTF8.self).contains("Age"))
  }

  /// Hellos and watchers of changes.
  @Test func changes_areThoseSinceTheLastUpdate_wholeAfterAGap() throws {
    let feed = StateFeed(of: recorder)
    var conversation = ControlConversation(with: recorder, feed: feed)
    recorder.state.whiteBalanceAge = 1
    let answer = conversation.answer(Array(#"{"do":"watch","changes":true,"id":1}"#.utf8))
    let first = try ControlMessage(line: try #require(answer))
    #expect(first.ok == true && first.generation == 1 && first.state == recorder.state, "whole, with its age")
    recorder.state.failure = "the disk is full"
    recorder.state.whiteBalanceAge = 2
    feed.look()
    let line = conversation.news()
    #expect(
      String(decoding: try #require(line), as: UTF8.self)
        == #"{"changes":{"failure":"the disk is full","whiteBalanceAge":2},"event":"state","generation":2}"# + "\n")
    recorder.state.failure = nil
    feed.look()
    let gone = conversation.news()
    #expect(
      String(decoding: try #require(gone), as: UTF8.self)
        == #"{"changes":{"failure":null},"event":"state","generation":3}"# + "\n")
    for film in 1...2 {
      recorder.state.films = film
      feed.look()
    }
    let skipped = conversation.news()
    let skippedLine = try #require(skipped)
    let whole = try #require(try ControlMessage(line: skippedLine).update)
    #expect(whole.isWhole && whole.generation == 5 && whole.values == recorder.state, "one was skipped")
    recorder.state.films = 3
    feed.look()
    let following = conversation.news()
    let nextLine = try #require(following)
    let next = try #require(try ControlMessage(line: nextLine).update)
    #expect(!next.isWhole && next.members == [.films] && next.applied(to: whole)?.values == recorder.state)
  }

  /// The same states for all, whoever came when.
  @Test func latecomer_beginsWithTheLatestGeneration() throws {
    let feed = StateFeed(of: recorder)
    var early = ControlConversation(with: recorder, feed: feed), late = ControlConversation(with: recorder, feed: feed)
    let watch = Array(#"{"do":"watch","changes":true}"#.utf8)
    _ = early.answer(watch)
    recorder.state.films = 1
    let answer = late.answer(watch)
    #expect(try ControlMessage(line: try #require(answer)).generation == 2)
    #expect(late.news() == nil)
    let told = early.news()
    #expect(try ControlMessage(line: try #require(told)).update?.members == [.films], "told to those who were there")
  }

  /// What `camrec ctl` sends is what it means.
  @Test func requestsSurviveTheirLine() throws {
    for words in [["ev", "+1/3"], ["set", "torch", "on"], ["focus"], ["white-balance", "daylight"], ["lock"]] {
      let request = try ControlRequest(try #require(ControlWord(rawValue: words[0])), words: Array(words.dropFirst()))
      guard case .command(let command) = try request.meaning() else {
        Issue.record("\(words) is a command")
        continue
      }
      let recorder = ScriptedRecorder()
      var conversation = ControlConversation(with: recorder)
      _ = conversation.answer(request.line(id: 3).dropLast())
      #expect(recorder.asked == [command])
    }
  }

  @Test func damagedLines_areAnswered_whateverTheyAre() throws {
    var random = SplitMix(seed: 44)
    var conversation = ControlConversation(with: recorder)
    for _ in 0..<20_000 {
      let (origin, _) = try #require(ControlConversationTests.commands.randomElement(using: &random))
      var line = Array(origin.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<max(1, line.count), using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where !line.isEmpty: line.remove(at: place)
        case 1: line.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 2 where !line.isEmpty: line[place] = UInt8.random(in: 0...255, using: &random)
        default: line.append(contentsOf: line.prefix(place))
        }
      }
      guard let answer = conversation.answer(line) else { continue }
      let message = try ControlMessage(line: answer)
      #expect((message.ok == true) == (message.error == nil) && answer.count { $0 == UInt8(ascii: "\n") } == 1)
    }
  }
}
