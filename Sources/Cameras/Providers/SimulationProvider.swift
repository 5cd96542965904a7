import Color
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
  /// a transfer. Where they are not what the order names, a warning says so.
  package func open(_ address: CameraAddress, _ order: CameraOrder) throws(CamrecError) -> OpenedCamera {
    var options = try SimulatedCamera.Options(parsing: address.place)
    if options.pace == .pulled, options.faults.hang != nil {
      throw CamrecError(
        .input, about: .camera,
        "the fault script has 'hang', but with pace=pulled nobody waits for a camera, and the recording would never "
          + "end; leave out pace=pulled")
    }
    var honorsColor = false
    if !address.place.contains("transfer=") {
      if let color = order.color, SimulationProvider.delivers(color.description) {
        let range = color.range ?? options.range
        options.color = color.description
        options.range = range
        honorsColor = true
      } else if order.hasLUT, order.color == nil {
        options.transfer = .appleLog
      }
    }
    let clock = SimulatedClock(pace: options.pace)
    let camera = try SimulatedCamera(
      options, request: order.request, clock: clock, frames: order.frames, makeEncoder: makeEncoder)
    var opened = OpenedCamera(
      camera, isPulled: clock.pace == .pulled, hasTwoClocks: clock.pace == .realTime, honorsColor: honorsColor)
    if !honorsColor, let color = order.color {
      opened.warnings += [SimulationProvider.doubt(color, about: camera.format.color)].compactMap(\.self)
    }
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

  /// PQ and HLG have no formula for scenes.
  private static func delivers(_ color: ColorDescription) -> Bool {
    TransferFunction(color.transfer) != nil && RGBSpace(color.primaries) != nil
  }

  /// Why the frames are not what they will be taken for; `nil` if they are.
  private static func doubt(_ asked: CameraOrder.Color, about camera: ColorDescription) -> String? {
    let told = asked.description
    guard told.transfer != camera.transfer || told.primaries != camera.primaries else { return nil }
    let sentence: Sentence =
      "the simulated camera delivers \(camera.transfer.rawValue), not \(asked.name): with \(setting: .colorIn)"
      + " \(asked.name) the film's colours are wrong"
    return sentence.withOptions
  }
}
