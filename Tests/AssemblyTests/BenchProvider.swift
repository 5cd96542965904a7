import CameraTestKit
import Cameras
import Frames

/// A kind of camera that only tests have: `bench:NAME`, in capitals or not.
struct BenchProvider: CameraProvider {
  let kind = CameraKind("bench")
  let noun = "a bench camera"
  let forms = ["bench:NAME"]
  var traits = CameraTraits(isHardware: true, mayBeAway: true, hasControls: true)
  /// The names of those that are there. Others are away.
  var present: Set<String> = ["a"]
  /// They deliver frames at a rate.
  var hasRate = true
  /// The name of the one to use if none is named.
  var firstName: String?

  func place(of address: CameraAddress) -> CameraAddress? { CameraAddress(kind, address.place.lowercased()) }

  func first() throws(CamrecError) -> CameraAddress? { firstName.map { CameraAddress(kind, $0) } }

  func list() -> [CameraListing] {
    ["a", "b"].map {
      CameraListing(path: "bench:\($0)", card: "Bench", problem: present.contains($0) ? nil : BenchProvider.away)
    }
  }

  func check(_ address: CameraAddress, _ order: CameraOrder) throws(CamrecError) {
    guard present.contains(address.place.lowercased()) else { throw CamrecError(.device, BenchProvider.away) }
  }

  func open(_ address: CameraAddress, _ order: CameraOrder) throws(CamrecError) -> OpenedCamera {
    try check(address, order)
    let rate = if let rate = order.request.frameRate { rate } else { try FrameRate(argument: "25") }
    let camera = ScriptedCamera(
      [.frames(1)], rate: hasRate ? rate : nil, controls: try openControls(address, keeping: .untilRestored))
    return OpenedCamera(camera, bringsSound: true, warnings: ["opened \(address.written)"], hasTwoClocks: false)
  }

  func openControls(
    _ address: CameraAddress, keeping: ControlKeeping
  ) throws(CamrecError) -> any CameraControls {
    ScriptedCameraControls(identity: address.written, [.gain: .number(4)])
  }

  static let away = "it is away"
}
