import Platform
import Rig
import Supervision
import Testing

/// When a rig recovers films: what a full disk leaves is recovered once there is room again.
struct RecoveryOccasionsTests {
  private static let started = Supervisor.Tale.event(#"{"event":"started"}"#)
  private static let full = Supervisor.Tale.event(
    #"{"event":"stopped","status":74,"error":{"code":"output","message":"the disk of 'a.mov' is full"}}"#)
  private static let gone = Supervisor.Tale.event(
    #"{"event":"stopped","status":69,"error":{"code":"device","message":"the camera is gone"}}"#)

  private func areOccasions(_ tales: [(name: String, tale: Supervisor.Tale)]) -> [Bool] {
    var occasions = RecoveryOccasions()
    return tales.map { occasions.isOne($0.tale, of: $0.name) }
  }

  @Test func aRecorderThatFails_isOne_andItsNextFilm() {
    let told = areOccasions([
      ("front", .started(pid: 4711)), ("front", Self.started), ("front", Self.full), ("front", .ended(.status(74))),
      ("back", Self.started), ("back", .ended(.status(0))), ("back", .ended(.status(3))), ("front", Self.started),
      ("front", Self.started),
    ])
    #expect(told == [false, false, false, true, false, false, false, true, false])
  }

  private static func end(_ status: Int32) -> Supervisor.Tale { .event(#"{"event":"ended","status":\#(status)}"#) }

  /// Its exit status is that of an earlier film.
  @Test func aRecorderWhoseLastFilmFails_isOne_andNotOneWhoseFirstFilmDid() {
    let told = areOccasions([
      ("front", .started(pid: 4711)), ("front", Self.end(74)), ("front", .ended(.status(3))),
      ("front", .started(pid: 4712)), ("front", .ended(.status(3))),
      ("back", .started(pid: 4713)), ("back", Self.end(3)), ("back", .ended(.status(74))),
    ])
    #expect(told == [false, false, true, false, false, false, false, false])
  }

  @Test func theNextFilmOfARecorderOnStandby_isOne_ifTheDiskHasEndedTheOneBefore() {
    let standby = Supervisor.Tale.event(#"{"event":"standby"}"#)
    #expect(
      areOccasions([("front", Self.full), ("front", standby), ("front", Self.started), ("front", Self.started)])
        == [false, false, true, false])
    #expect(areOccasions([("front", Self.gone), ("front", Self.started)]) == [false, false])
    // The camera went just before the disk was full.
    let both = Supervisor.Tale.event(
      #"{"event":"stopped","status":69,"error":{"code":"device","message":"the camera is gone, and the disk is full"},"#
        + #""ledger":{"expected":9,"captured":9,"written":7,"lost":{"disk":2}}}"#)
    #expect(areOccasions([("front", both), ("front", Self.started)]) == [false, true])
  }
}
