import ControlCodec
import Foundation
import Frames
import Platform
import Recorder
import RecorderAPI
import RecorderTestKit
import Testing
import TestKit

/// Requests of a remote that has said hello: their order, and their deadlines.
@Suite struct RequestOrderTests {
  /// A remote that has said hello, and waits for what comes later.
  private final class Remote {
    private var conversation: ControlConversation
    private let woken: DispatchSemaphore

    init(_ recorder: ScriptedRecorder, _ hello: String) throws {
      let woken = DispatchSemaphore(value: 0)
      conversation = ControlConversation(with: recorder) { woken.signal() }
      self.woken = woken
      let welcome = try #require(try ask(hello))
      #expect(welcome.ok == true)
    }

    /// - Returns: the answer, if it comes at once.
    func ask(_ line: String, now: MonotonicTime = .now()) throws -> ControlMessage? {
      try conversation.answer(Array(line.utf8), now: now).map { try ControlMessage(line: $0) }
    }

    /// The next answer that comes later.
    func next() throws -> ControlMessage {
      while true {
        if let answer = try taken(at: .now()) { return answer }
        woken.wait()
      }
    }

    func taken(at now: MonotonicTime) throws -> ControlMessage? {
      try conversation.nextAnswer(now: now).map { try ControlMessage(line: $0) }
    }

    func lastNews() throws -> ControlMessage? { try conversation.lastNews().map { try ControlMessage(line: $0) } }

    var takesRequests: Bool { conversation.takesRequests }
    var isWaiting: Bool { conversation.isWaiting }
    var deadline: MonotonicTime? { conversation.deadline }
  }

  /// Of a recorder that takes as long to start as a test wants.
  private let gate: Gate
  private let recorder: ScriptedRecorder

  init() {
    let gate = Gate()
    self.gate = gate
    recorder = ScriptedRecorder { if $0 == .start { gate.pass() } }
  }

  @Test func outOfOrder_aLongStartHoldsUpNothing() throws {
    let remote = try Remote(recorder, #"{"do":"hello","id":0,"outOfOrder":true}"#)
    gate.close()
    #expect(try remote.ask(#"{"do":"start","id":1}"#) == nil)
    gate.awaitSomebody()
    #expect(remote.takesRequests && remote.isWaiting)
    #expect(try remote.ask(#"{"do":"state","id":2}"#)?.id == .integer(2), "at once")
    #expect(try remote.ask(#"{"do":"watch","id":3}"#)?.id == .integer(3), "at once")
    #expect(try remote.ask(#"{"do":"iso","value":100,"id":4}"#) == nil)
    #expect(try remote.next().id == .integer(4), "beside the start")
    #expect(try remote.ask(#"{"do":"marker","id":5}"#) == nil)
    #expect(try remote.next().id == .integer(5))
    recorder.state.films = 7
    #expect(try remote.lastNews()?.state?.films == 7, "and it is told what changes")
    gate.open()
    #expect(try remote.next().id == .integer(1))
    #expect(!remote.isWaiting)
    #expect(try remote.taken(at: .now()) == nil)
  }

  @Test func aStartAtATime_isOfTheKindOfStarts() throws {
    let remote = try Remote(recorder, #"{"do":"hello","id":0,"outOfOrder":true}"#)
    gate.close()
    _ = try remote.ask(#"{"do":"start","id":1}"#)
    gate.awaitSomebody()
    _ = try remote.ask(#"{"do":"start","at":86400,"id":2}"#)
    _ = try remote.ask(#"{"do":"iso","value":100,"id":3}"#)
    #expect(try remote.next().id == .integer(3))
    gate.open()
    #expect(try remote.next().id == .integer(1))
    #expect(try remote.next().id == .integer(2))
  }

  @Test func withoutIt_theNextRequestWaits() throws {
    let remote = try Remote(recorder, #"{"do":"hello"}"#)
    gate.close()
    #expect(try remote.ask(#"{"do":"start"}"#) == nil)
    #expect(!remote.takesRequests)
    gate.open()
    #expect(try remote.next().ok == true)
    #expect(remote.takesRequests)
  }

  /// Of one kind: the last of many settings is the one that stays.
  @Test func requestsOfAKind_keepTheirOrder() throws {
    let remote = try Remote(recorder, #"{"do":"hello","id":0,"outOfOrder":true}"#)
    var told: [JSONValue?] = [], expected: [JSONValue?] = [], commands: [RecorderCommand] = []
    for number in 1...500 {
      while !remote.takesRequests { told.append(try remote.next().id) }
      #expect(try remote.ask(#"{"do":"iso","value":\#(number),"id":\#(number)}"#) == nil)
      expected.append(.integer(Int64(number)))
      commands.append(.exposure(.iso(Double(number))))
    }
    while remote.isWaiting { told.append(try remote.next().id) }
    #expect(told == expected)
    #expect(recorder.asked == commands)
  }

  @Test func aRemote_hasSixteenRequestsUnderWay() throws {
    let remote = try Remote(recorder, #"{"do":"hello","id":0,"outOfOrder":true}"#)
    gate.close()
    for number in 1...16 {
      #expect(remote.takesRequests)
      _ = try remote.ask(#"{"do":"start","id":\#(number)}"#)
    }
    #expect(!remote.takesRequests)
    gate.open()
    _ = try remote.next()
    #expect(remote.takesRequests)
    while remote.isWaiting { _ = try remote.next() }
    #expect(recorder.asked.count == 16)
  }

  @Test func deadline_isAnsweredWithItsReason() throws {
    let remote = try Remote(recorder, #"{"do":"hello","id":0,"outOfOrder":true,"deadline":3600}"#)
    gate.close()
    let begin = MonotonicTime.now(), late = begin.advanced(by: 3600 * 1_000_000_000)
    _ = try remote.ask(#"{"do":"start","id":1}"#, now: begin)
    gate.awaitSomebody()
    _ = try remote.ask(#"{"do":"stop","id":2}"#, now: begin)
    #expect(remote.deadline == late)
    #expect(try remote.taken(at: late.advanced(by: -1)) == nil, "not yet")
    let begun = try #require(try remote.taken(at: late)), waiting = try #require(try remote.taken(at: late))
    #expect(begun.id == .integer(1) && begun.ok == false && begun.error?.reason == "deadline")
    #expect(
      begun.error?.message
        == "'start' takes longer than 3600 s; the recorder goes on with it, and its state shows when it is done")
    #expect(waiting.id == .integer(2) && waiting.ok == false && waiting.error?.reason == "busy")
    #expect(
      waiting.error?.message
        == "the recorder was busy with other requests for 3600 s, and changed nothing; try again")
    #expect(begun.error?.code == "overload" && waiting.error?.code == "overload")
    #expect(!remote.isWaiting && remote.deadline == nil && remote.takesRequests)
    // The start is carried out after all, and nobody is told twice; that stop is not.
    _ = try remote.ask(#"{"do":"stop","id":3}"#)
    gate.open()
    #expect(try remote.next().id == .integer(3))
    #expect(recorder.asked == [.start, .stop])
    #expect(try remote.taken(at: late) == nil)
  }

  /// What has waited beyond its deadline is not begun any more.
  @Test func aRequestThatIsTooLateToBegin_changesNothing() throws {
    let remote = try Remote(recorder, #"{"do":"hello","id":0,"outOfOrder":true,"deadline":1}"#)
    let past = MonotonicTime.now().advanced(by: -2_000_000_000), future = MonotonicTime(nanoseconds: .max)
    _ = try remote.ask(#"{"do":"iso","value":100,"id":1}"#, now: past)
    let answer = try remote.next()
    #expect(answer.error?.reason == "busy" && answer.id == .integer(1))
    _ = try remote.ask(#"{"do":"iso","value":200,"id":2}"#, now: future)
    #expect(try remote.next().ok == true)
    #expect(recorder.asked == [.exposure(.iso(200))])
  }

  @Test func refusals_keepTheirIds() throws {
    let remote = try Remote(recorder, #"{"do":"hello","id":0,"outOfOrder":true}"#)
    recorder.fail(with: CamrecError(.output, "the disk is full", cause: "ENOSPC"))
    _ = try remote.ask(#"{"do":"start","id":"a"}"#)
    let refusal = try remote.next()
    #expect(refusal.id == .text("a") && refusal.error?.reason == nil && refusal.error?.cause == "ENOSPC")
    #expect(
      try remote.ask(#"{"do":"state"}"#)?.error?.message
        == #"with "outOfOrder", each request needs an "id", as in {"do":"state","id":1}"#)
  }

  @Test func refusals_haveReasonFieldAndASentenceWithoutOptions_afterAHello() throws {
    let error = CamrecError(
      .usage, about: .exposure, "cannot be set: \(setting: .exposure) manual holds it", reason: .exposureMode)
    recorder.fail(with: error)
    let request = Array(#"{"do":"lock","id":1}"#.utf8)
    var first = ControlConversation(with: recorder)
    let answer = first.answer(request)
    let failure = #"{"code":"usage","message":"cannot be set: --exposure manual holds it"}"#
    #expect(
      String(decoding: try #require(answer), as: UTF8.self) == #"{"error":\#(failure),"id":1,"ok":false}"# + "\n",
      "version 1")
    let remote = try Remote(recorder, #"{"do":"hello","id":0}"#)
    _ = try remote.ask(#"{"do":"lock","id":1}"#)
    let told = try #require(try remote.next().error)
    #expect(told.message == error.message && told.error == error && told.error.reason == .exposureMode)
    #expect(told.reason == "exposureMode" && told.field == "exposure")
    #expect(told.recorderError == RecorderError(error))
    #expect(told.recorderError.message == "cannot be set: 'exposure' manual holds it")
    recorder.fail(with: CamrecError(.output, "the disk is full", reason: .noRoom))
    _ = try remote.ask(#"{"do":"lock","id":2}"#)
    let plain = try #require(try remote.next().error)
    #expect(plain.sentence == nil && plain.field == nil && plain.recorderError.reason == .noRoom)
    #expect(plain.recorderError.message == "the disk is full")
  }

  /// So that a program can show the error beside the setting.
  @Test(arguments: [
    (#""do":"ev","value":40"#, "ev"), (#""do":"angle","value":400"#, "shutter-angle"),
    (#""do":"iso","value":"x""#, "iso"), (#""do":"metering","value":"x""#, "metering"),
    (#""do":"spot","value":[2,0]"#, "metering"), (#""do":"mode","value":"nix""#, "exposure"),
    (#""do":"rate","value":"x""#, "fps"), (#""do":"switch","size":"1x1""#, "size"),
    (#""do":"switch","size":"320x180","fps":"x""#, "fps"), (#""do":"focus","value":"x""#, nil),
  ] as [(String, String?)])
  func aWrongValue_namesItsSetting_afterAHello(_ members: String, _ field: String?) throws {
    let remote = try Remote(recorder, #"{"do":"hello","id":0}"#)
    let told = try remote.ask("{\(members),\"id\":1}")?.error
    #expect(told?.code == "usage" && told?.field == field, "\(told as Any)")
    var first = ControlConversation(with: recorder)
    let answer = first.answer(Array("{\(members)}".utf8))
    #expect(!String(decoding: try #require(answer), as: UTF8.self).contains("\"field\""), "version 1")
  }

  @Test func afterAHello_theAgeIsTold() throws {
    recorder.state.whiteBalanceAge = 3
    let remote = try Remote(recorder, #"{"do":"hello"}"#)
    #expect(try remote.ask(#"{"do":"state"}"#)?.state?.whiteBalanceAge == 3)
    _ = try remote.ask(#"{"do":"lock"}"#)
    #expect(try remote.next().state?.whiteBalanceAge == 3)
  }

  @Test func afterAHello_eventsHaveAllMembers() throws {
    let remote = try Remote(recorder, #"{"do":"hello"}"#)
    _ = try remote.ask(#"{"do":"watch"}"#)
    recorder.state.startFailure = "the disk is full"
    recorder.state.whiteBalanceAge = 3
    let news = try #require(try remote.lastNews()?.state)
    #expect(news.startFailure == "the disk is full" && news.failure == nil && news.whiteBalanceAge == 3)
    recorder.state.whiteBalanceAge = 4
    #expect(try remote.lastNews() == nil, "time goes by")
  }
}
