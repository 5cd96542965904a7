import Bake
import BakeTestKit
import Color
import Frames
import Kernels
import TestKit
import Testing

/// Bakes on a device beside the CPU.
@Suite struct BakeDeviceTests {
  static func baker(
    on place: BakePlace, passesThrough: Bool = true, lut: LookupTable? = BakerTests.lut,
    grain: GrainKernel.Settings? = nil, frames: Int = 2, input: FrameFormat = BakerTests.nv12,
    makeDevice: @escaping BakeDeviceMaker
  ) throws -> Baker {
    try Baker(
      input: input, outputLayout: .yuv420p, outputColor: .rec709, lut: lut, interpolation: .tetrahedral, grain: grain,
      workers: 2, frames: frames, passesThrough: passesThrough, on: place, makeDevice: makeDevice)
  }

  /// Bakes ten frames, as many at once as may be, and compares each with the CPU's.
  static func bakeTen(_ baker: Baker, grain: GrainKernel.Settings? = nil) throws -> [String] {
    let pool = FramePool(format: BakerTests.nv12, capacity: 4), cpu = try BakerTests.baker(grain: grain)
    var expected: [[[UInt8]]] = [], warnings: [String] = []
    var finished = 0
    func finish() throws {
      #expect(FrameRows.of(try baker.finish()) == expected[finished], "frame \(finished)")
      finished += 1
      if let warning = baker.takeWarning() { warnings.append(warning) }
    }
    for seed in 1...10 as ClosedRange<UInt32> {
      while baker.underway >= baker.depth { try finish() }
      expected.append(FrameRows.of(try cpu.bake(try BakerTests.frame(pool, seed: seed), number: Int64(seed))))
      try baker.begin(try BakerTests.frame(pool, seed: seed), number: Int64(seed))
    }
    while baker.underway > 0 { try finish() }
    #expect(finished == 10 && pool.available == 4)
    return warnings
  }

  @Test(arguments: [1, 2, 3])
  func framesComeOutInOrder(depth: Int) throws {
    let baker = try Self.baker(on: .gpu) { ScriptedBakeDevice($0, frames: $1, depth: depth) }
    #expect(baker.depth == depth && baker.deviceName == "scripted device")
    #expect(try Self.bakeTen(baker) == [])
    #expect(baker.deviceName == "scripted device")
  }

  static let faults: [ScriptedBakeDevice.Fault] = [
    .begin(1), .begin(2), .begin(5), .begin(10), .finish(1), .finish(2), .finish(9), .finish(10),
  ]

  @Test(arguments: faults)
  func afterAFaultTheCPUBakesOn(fault: ScriptedBakeDevice.Fault) throws {
    let baker = try Self.baker(on: .gpu) { ScriptedBakeDevice($0, frames: $1, fault: fault) }
    let warnings = try Self.bakeTen(baker)
    #expect(
      warnings == [
        "scripted device failed: the CPU bakes from here on, including the frames underway (unplugged by the script)"
      ])
    #expect(baker.depth == 1 && baker.deviceName == nil)
  }

  /// Also where the device fails with frames underway: each has the grain of its own number.
  @Test(arguments: [nil, .begin(5), .finish(9)] as [ScriptedBakeDevice.Fault?])
  func grainIsTheSameOnADevice(fault: ScriptedBakeDevice.Fault?) throws {
    let baker = try Self.baker(on: .gpu, grain: BakerTests.grain) {
      ScriptedBakeDevice($0, frames: $1, depth: 3, fault: fault)
    }
    #expect(try Self.bakeTen(baker, grain: BakerTests.grain).count == (fault == nil ? 0 : 1))
  }

  @Test func aDeviceThatCannotBeMadeIsTheCallersError() throws {
    let error = #expect(throws: CamrecError.self) {
      try Self.baker(on: .gpu) { (_, _) throws(CamrecError) in throw CamrecError(.device, "there is none") }
    }
    #expect(error?.message == "there is none")
  }

  @Test func tooManyFramesOutIsADefect_notALostDevice() throws {
    let baker = try Self.baker(on: .gpu, frames: 1) { ScriptedBakeDevice($0, frames: $1, depth: 1) }
    let pool = FramePool(format: BakerTests.nv12, capacity: 1)
    let first = try baker.bake(try BakerTests.frame(pool)), second = try baker.bake(try BakerTests.frame(pool))
    let error = #expect(throws: CamrecError.self) { _ = try baker.bake(try BakerTests.frame(pool)) }
    #expect(error?.code == .defect && baker.deviceName != nil && baker.underway == 0)
    #expect(FrameRows.of(first) == FrameRows.of(second) && pool.available == 1)
  }

  @Test func softwareIsWarnedOf_andNoChoiceForAuto() throws {
    let asked = try Self.baker(on: .gpu) { ScriptedBakeDevice($0, frames: $1, isSoftware: true) }
    #expect(asked.takeWarning() == "scripted device is software on the CPU's own cores: --bake-on cpu is faster")
    #expect(asked.takeWarning() == nil)
    let auto = try Self.baker(on: .auto) { ScriptedBakeDevice($0, frames: $1, bakes: false, isSoftware: true) }
    #expect(auto.deviceName == nil && auto.takeWarning() == nil)
  }

  // MARK: auto

  /// Large enough that no scheduler makes a device that does nothing the slower one.
  static let large = FrameFormat(width: 1920, height: 1080, layout: .nv12, color: .rec709)

  @Test func autoKeepsTheFaster() throws {
    let fast = try Self.baker(on: .auto, input: Self.large) { ScriptedBakeDevice($0, frames: $1, bakes: false) }
    #expect(fast.deviceName == "scripted device" && fast.underway == 0)
    let slow = try Self.baker(on: .auto) { ScriptedBakeDevice($0, frames: $1, pause: .milliseconds(20)) }
    #expect(slow.deviceName == nil && slow.depth == 1)
    #expect(try Self.bakeTen(slow) == [])
  }

  /// A defect in the measurement leaves frames underway: none of them comes out as the film's first.
  @Test(arguments: [2, 3, 9])
  func whatAMeasurementLeftIsNoPartOfTheFilm(number: Int) throws {
    let baker = try Self.baker(on: .auto) { ScriptedBakeDevice($0, frames: $1, bakes: false, fault: .defect(number)) }
    #expect(baker.deviceName == nil && baker.underway == 0)
    #expect(try Self.bakeTen(baker) == [])
  }

  @Test(arguments: [ScriptedBakeDevice.Fault.begin(3), .finish(8)])
  func autoTakesTheCPUWhereTheDeviceFailsOrIsNotThere(fault: ScriptedBakeDevice.Fault) throws {
    let failing = try Self.baker(on: .auto) { ScriptedBakeDevice($0, frames: $1, bakes: false, fault: fault) }
    #expect(failing.deviceName == nil)
    #expect(try Self.bakeTen(failing) == [])
    let missing = try Self.baker(on: .auto) { (_, _) throws(CamrecError) in throw CamrecError(.device, "none") }
    #expect(missing.deviceName == nil)
    #expect(try Self.bakeTen(missing) == [])
  }

  @Test func theCPUIsNotAskedForADevice() throws {
    let baker = try Self.baker(on: .cpu) { (_, _) throws(CamrecError) in throw CamrecError(.device, "none") }
    #expect(try Self.bakeTen(baker) == [])
  }
}
