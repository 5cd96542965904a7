package import Frames

extension CameraKind {
  package static let simulated = CameraKind("sim")
}

/// Simulated cameras: `sim`, `sim:KEY=VALUE,…`.
package struct SimulationProvider: CameraProvider {
  private let makeEncoder: @Sendable (FrameFormat) throws(CamrecError) -> any ImageEncoder

  /// - Parameter makeEncoder: makes the encoder for `mjpeg`.
  package init(makeEncoder: @escaping @Sendable (FrameFormat) throws(CamrecError) -> any ImageEncoder) {
    self.makeEncoder = makeEncoder
  }

  package var kind: CameraKind { .simulated }
  package var traits: CameraTraits { CameraTraits(hasOwnSound: true, hasControls: true, keepsControls: false) }
  package var noun: String { "the simulated camera" }

  package func place(of address: CameraAddress) -> CameraAddress? { address }
  package func substitute(_ address: CameraAddress) -> String? { "simulated" }

  package func check(_ address: CameraAddress, _ order: CameraOrder) throws(CamrecError) {
    _ = try open(address, order)
  }

  /// The camera delivers the colours that the order names, if it can, and apple-log for a LUT; unless its options name
  /// a transfer.
  package func open(_ address: CameraAddress, _ order: CameraOrder) throws(CamrecError) -> OpenedCamera {
    var options = try SimulatedCamera.Options(parsing: address.place)
    var honorsColor = false
    if !address.place.contains("transfer=") {
      if let color = order.color, let transfer = SimulationProvider.transfers[color.name] {
        options.transfer = transfer
        honorsColor = true
      } else if order.hasLUT, order.color == nil {
        options.transfer = .appleLog
      }
    }
    if let range = order.color?.range, honorsColor { options.range = range }
    let clock = SimulatedClock(pace: options.pace)
    let camera = try SimulatedCamera(
      options, request: order.request, clock: clock, frames: order.frames, makeEncoder: makeEncoder)
    var opened = OpenedCamera(
      camera, isPulled: clock.pace == .pulled, hasTwoClocks: clock.pace == .realTime, honorsColor: honorsColor)
    if order.sound != .none {
      if options.partsPerMillion != 0 || options.microphonePartsPerMillion != 0 { opened.hasTwoClocks = true }
      opened.microphone = SimulatedMicrophone(options, frameRate: camera.frameRate, clock: clock)
      opened.bringsSound = true
    }
    return opened
  }

  /// Those of a camera that is made for them: its settings are lost when they close.
  package func openControls(
    _ address: CameraAddress, keeping: ControlKeeping
  ) throws(CamrecError) -> any CameraControls {
    let camera = try SimulatedCamera(
      SimulatedCamera.Options(parsing: address.place), request: CameraRequest(), clock: SimulatedClock(pace: .pulled),
      frames: 1, makeEncoder: makeEncoder)
    guard let controls = camera.controls else { throw lacksControls }
    return controls
  }

  /// Colours that the simulated camera can deliver, by the names in `--color-in`.
  private static let transfers: [String: TransferCharacteristic] = [
    "rec709": .rec709, "apple-log": .appleLog, "slog3": .slog3, "vlog": .vlog,
  ]
}
