import Cameras
import CameraTestKit
import Foundation
import Frames
import Recorder
import Synchronization
import Testing
import TestKit

/// Who asks for the white balance does not wait for the camera.
@Suite struct WhiteBalanceCacheTests {
  /// Controls that answer only while a gate is open.
  private final class SlowControls: CameraControls {
    let gate = Gate()
    let own = ScriptedCameraControls([.whiteBalance: .number(4600), .autoWhiteBalance: .flag(false)])
    let questions = Atomic<Int>(0)

    var name: String { own.name }
    var identity: String { own.identity }
    func offers() throws(CamrecError) -> [ControlOffer] { try own.offers() }
    func value(of control: CameraControl) throws(CamrecError) -> ControlValue {
      questions.add(1, ordering: .relaxed)
      gate.pass()
      return try own.value(of: control)
    }
    func set(_ control: CameraControl, to value: ControlValue) throws(CamrecError) -> ControlValue {
      try own.set(control, to: value)
    }
    func changes() throws(CamrecError) -> [ControlChange] { [] }
    func restore() {}
  }

  private static func eventually(_ holds: () -> Bool) -> Bool {
    for _ in 0..<12_000 {
      if holds() { return true }
      usleep(5000)
    }
    return false
  }

  @Test func aCameraThatDoesNotAnswer_holdsUpNobody() {
    let controls = SlowControls(), cache = WhiteBalanceCache(lifetime: 0)
    cache.read(controls)
    controls.own[.whiteBalance] = .number(3200)
    controls.gate.close()
    #expect(cache.reading(of: controls)?.value == "4600", "what was known")
    controls.gate.awaitSomebody()
    #expect(cache.reading(of: controls)?.value == "4600", "while somebody asks the camera")
    controls.gate.open()
    #expect(Self.eventually { cache.reading(of: controls)?.value == "3200" }, "and what it said then")
  }

  @Test func aFreshReading_asksNobody() {
    let controls = SlowControls(), cache = WhiteBalanceCache(lifetime: .max)
    #expect(cache.reading(of: controls) == nil, "not known at once")
    #expect(Self.eventually { cache.reading(of: controls) != nil })
    let questions = controls.questions.load(ordering: .relaxed)
    for _ in 0..<100 { #expect(cache.reading(of: controls)?.value == "4600") }
    let now = controls.questions.load(ordering: .relaxed)
    #expect(now == questions)
  }

  @Test func theLookThatBeganLast_counts() {
    let controls = SlowControls(), cache = WhiteBalanceCache(lifetime: 0)
    controls.gate.close()
    #expect(cache.reading(of: controls) == nil)
    controls.gate.awaitSomebody()
    // A command sets it, and reads it back, while the look in the background is under way.
    controls.gate.open()
    controls.own[.whiteBalance] = .number(6500)
    cache.read(controls)
    #expect(cache.reading(of: controls)?.value == "6500")
  }

  @Test func eachCamera_hasItsOwn_andAFewAreKept() {
    let cache = WhiteBalanceCache(lifetime: .max)
    let cameras = (0..<6).map { number in
      ScriptedCameraControls([.whiteBalance: .number(3000 + Double(number) * 100)])
    }
    cameras.forEach(cache.read)
    for (number, camera) in cameras.enumerated().suffix(4) {
      #expect(cache.reading(of: camera)?.value == "\(3000 + number * 100)")
    }
    cameras[5].fallSilent()
    cache.read(cameras[5])
    #expect(cache.reading(of: cameras[5]) != nil && cache.reading(of: cameras[5])?.value == nil, "it does not tell")
  }
}
