import ControlCodec
import Foundation
import Frames
import RecorderAPI
import Testing
import TestKit

/// States as changes: as values, and as lines.
@Suite struct StateUpdateTests {
  @Test func everyPropertyIsAMember() {
    let names = Set(Mirror(reflecting: RecorderState(phase: .standby)).children.compactMap(\.label))
    #expect(names == Set(RecorderState.Member.allCases.map(\.rawValue)))
    #expect(RecorderState.counters.isSubset(of: RecorderState.Member.allCases))
  }

  @Test func eachMember_isSeenToDiffer_andIsTakenOver() {
    let (empty, full) = (RecorderState(phase: .standby), FullState.make())
    #expect(full.members(differingFrom: empty) == Set(RecorderState.Member.allCases), "the sample has a value for each")
    #expect(full.members(differingFrom: full).isEmpty)
    for member in RecorderState.Member.allCases {
      var state = empty
      state.take([member], of: full)
      #expect(state.members(differingFrom: empty) == [member])
      #expect(full.members(differingFrom: state) == Set(RecorderState.Member.allCases).subtracting([member]))
    }
  }

  @Test func anUpdate_isItsMembersOnTheLine() throws {
    var state = FullState.make()
    state.film = nil
    state.focus?.phase = .failed
    let update = StateUpdate([.film, .focus, .phase], of: state, generation: 7)
    let line = ControlMessage.news(update).line
    #expect(
      String(decoding: line, as: UTF8.self)
        == #"{"changes":{"film":null,"focus":{"distance":0.25,"phase":"failed"},"phase":"recording"},"#
        + #""event":"state","generation":7}"# + "\n")
    let message = try ControlMessage(line: line)
    #expect(message.update == update && message.state == nil && message.ok == nil)
  }

  @Test func aWholeState_hasTheOrdinaryMember() throws {
    let update = StateUpdate(FullState.make(), generation: 3)
    let message = try ControlMessage(line: ControlMessage.news(update).line)
    #expect(message.update == update && message.changes == nil && message.state == FullState.make())
    #expect(ControlMessage.answer(FullState.make(), id: .integer(1), generation: 3).update == update)
    #expect(ControlMessage.news(FullState.make()).update == nil, "version 1 counts no generations")
  }

  @Test func memberOfALaterVersion_isPassedOver() throws {
    let line = #"{"changes":{"films":4,"shoeSize":{"left":42}},"event":"state","generation":2}"#
    let update = try #require(try ControlMessage(line: Array(line.utf8)).update)
    #expect(update.members == [.films] && update.values.films == 4)
  }

  @Test func updatesApply_inTheirOrderOnly() throws {
    let first = StateUpdate(FullState.make(), generation: 4)
    var state = first.values
    state.marker = nil
    state.films = 9
    let second = StateUpdate([.marker, .films], of: state, generation: 5)
    #expect(second.applied(to: first) == StateUpdate(state, generation: 5))
    #expect(second.applied(to: nil) == nil, "nothing is known yet")
    #expect(StateUpdate([.films], of: state, generation: 6).applied(to: first) == nil, "a gap")
    #expect(StateUpdate([.films], of: state, generation: 4).applied(to: first) == nil)
    #expect(second.applied(to: second) == nil, "only a whole state can be changed")
    #expect(StateUpdate(state, generation: 9).applied(to: first)?.values == state, "a whole state follows any")
  }

  /// Any walk of a state over the wire arrives as it was.
  @Test func changesAddUp() throws {
    var random = SplitMix(seed: 37)
    let samples = [RecorderState(phase: .standby), FullState.make(), FullState.make(1)]
    var state = samples[0], known = StateUpdate(samples[0], generation: 1)
    for generation in 2..<400 {
      let before = state
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let member = try #require(RecorderState.Member.allCases.randomElement(using: &random))
        state.take([member], of: try #require(samples.randomElement(using: &random)))
      }
      let update = StateUpdate(state.members(differingFrom: before), of: state, generation: generation)
      let arrived = try #require(try ControlMessage(line: ControlMessage.news(update).line).update)
      #expect(arrived == update)
      known = try #require(arrived.applied(to: known))
      #expect(known.values == state && known.generation == generation)
    }
  }

  @Test func damagedUpdates_areRefusedOrRead() throws {
    var random = SplitMix(seed: 371)
    let line = ControlMessage.news(StateUpdate([.film, .disk, .started], of: FullState.make(), generation: 2)).line
    for _ in 0..<5000 {
      var damaged = line
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let message = try? ControlMessage(line: damaged) else { continue }
      _ = message.update?.applied(to: StateUpdate(FullState.make(), generation: 1))
    }
  }

  @Test func hello_survivesItsLine() throws {
    for hello in [
      try ControlHello(), try ControlHello(outOfOrder: true), try ControlHello(outOfOrder: true, deadline: 0.5),
      try ControlHello(deadline: 3600),
    ] {
      let fields = try ControlProtocol.read(
        [String: JSONValue].self, from: String(decoding: hello.line(id: 2), as: UTF8.self))
      #expect(fields["do"] == .text("hello") && fields["id"] == .integer(2))
      #expect(try ControlHello(fields: fields) == hello)
    }
    #expect(String(decoding: try ControlHello().line(), as: UTF8.self) == "{\"do\":\"hello\"}\n")
  }

  static let refusedHellos: [([String: JSONValue], String)] = [
    (["outOfOrder": .text("yes")], #""outOfOrder" of 'hello' must be true or false"#),
    (["deadline": .text("10")], #""deadline" of 'hello' must be a number of seconds"#),
    (["deadline": .integer(0)], #""deadline" of 'hello' must be 0.001 to 3600 seconds, not '0.0'"#),
    (["deadline": .number(-.infinity)], #""deadline" of 'hello' must be 0.001 to 3600 seconds, not '-inf'"#),
    (["deadline": .integer(3601)], #""deadline" of 'hello' must be 0.001 to 3600 seconds, not '3601.0'"#),
    (["order": .bool(true)], #"'hello' takes only "deadline", "outOfOrder"; remove "order""#),
  ]

  @Test(arguments: refusedHellos)
  func helloThatCannotBeMeant_isRefused(_ fields: [String: JSONValue], _ sentence: String) {
    #expect(throws: CamrecError(.usage, sentence)) { try ControlHello(fields: fields) }
  }

  @Test func deadlines_areLongerForFilms() throws {
    #expect(try ControlHello().deadline(of: .iso) == .seconds(10))
    #expect(try ControlHello().deadline(of: .start) == .seconds(60))
    #expect(try ControlHello(deadline: 2).deadline(of: .start) == .seconds(2))
  }
}
