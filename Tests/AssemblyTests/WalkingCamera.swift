import Assembly
import Audio
import CameraTestKit
import Cameras
import Frames
import Synchronization

/// The simulated camera and its microphone, which can be unplugged, and whose starts are counted.
final class WalkingCamera: CameraProvider {
  let kind = CameraKind("walk")
  let noun = "the walking camera"
  let forms = ["walk"]
  let completion = "walk"
  let traits: CameraTraits
  private let simulation: any CameraProvider
  let counts = CameraCounts()
  private let whenOpened = Mutex<(@Sendable () -> Void)?>(nil)
  private let away = Atomic<Bool>(false)
  private let mute = Atomic<Bool>(false)
  private let departure = Mutex<CameraDeparture?>(nil)
  private let checked = Atomic<Int>(0)

  /// - Parameter hasOwnMode: it takes no other mode, as a clip.
  init(hasOwnMode: Bool = false) throws {
    traits = CameraTraits(isHardware: true, mayBeAway: true, hasOwnMode: hasOwnMode, hasControls: true)
    simulation = try CameraProviders.standard.provider(of: CameraAddress(.simulated, ""))
  }

  /// The camera is unplugged.
  var isAway: Bool {
    get { away.load(ordering: .acquiring) }
    set { away.store(newValue, ordering: .releasing) }
  }

  /// The microphone is unplugged.
  var isMute: Bool {
    get { mute.load(ordering: .acquiring) }
    set { mute.store(newValue, ordering: .releasing) }
  }

  var starts: Int { counts.starts }
  /// Cameras that run.
  var running: Int { counts.starts - counts.stops }

  /// How often somebody was told that it can be opened.
  var checks: Int { checked.load(ordering: .acquiring) }

  /// - Parameter departure: tells when it goes, counted from its next frame.
  func leaves(_ departure: CameraDeparture) { self.departure.withLock { $0 = departure } }

  private var isGone: Bool { departure.withLock { $0 }?.isDue() == true || isAway }

  /// - Parameter action: happens when a camera has been opened, once.
  func onceOpened(_ action: @escaping @Sendable () -> Void) { whenOpened.withLock { $0 = action } }

  func address(parsing text: String) -> CameraAddress? { text == "walk" ? CameraAddress(kind, "") : nil }
  func place(of address: CameraAddress) -> CameraAddress? { address }
  func key(of address: CameraAddress) -> CameraKey? { CameraKey(identity: "walk", port: "1") }
  func address(of key: CameraKey) -> CameraAddress? { isAway ? nil : CameraAddress(kind, "") }

  func check(_ address: CameraAddress, _ order: CameraOrder) throws(CamrecError) {
    guard !isAway else { throw CamrecError(.device, "the walking camera is away") }
    checked.add(1, ordering: .releasing)
  }

  func open(_ address: CameraAddress, _ order: CameraOrder) throws(CamrecError) -> OpenedCamera {
    try check(address, order)
    var opened = try simulation.open(CameraAddress(.simulated, ""), order)
    let camera = StartedCamera(opened.camera, counts: counts) { [self] in isGone }
    opened.camera = camera
    if let microphone = opened.microphone { opened.microphone = WalkingMicrophone(microphone) { [self] in isMute } }
    let action = whenOpened.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
    return opened
  }

  func openControls(
    _ address: CameraAddress, keeping: ControlKeeping
  ) throws(CamrecError) -> any CameraControls {
    try simulation.openControls(CameraAddress(.simulated, ""), keeping: keeping)
  }
}

/// A microphone that can be unplugged.
private final class WalkingMicrophone: Microphone {
  private let microphone: any Microphone
  private let isMute: @Sendable () -> Bool

  init(_ microphone: any Microphone, isMute: @escaping @Sendable () -> Bool) {
    self.microphone = microphone
    self.isMute = isMute
  }

  var name: String { microphone.name }
  var format: AudioFormat { microphone.format }
  var isPulled: Bool { microphone.isPulled }

  private func check() throws(CamrecError) {
    if isMute() { throw CamrecError(.device, "the walking microphone is away") }
  }

  func start() throws(CamrecError) {
    try check()
    try microphone.start()
  }

  func read(into buffer: inout AudioBuffer) throws(CamrecError) -> Bool {
    try check()
    return try microphone.read(into: &buffer)
  }

  func stop() { microphone.stop() }

  func reopen() throws(CamrecError) {
    try check()
    try microphone.start()
  }
}
