package import Frames

/// A kind of camera: how its cameras are written, found, listed, checked and opened.
///
/// Addresses passed to a provider are of its own kind. Thread: any.
package protocol CameraProvider: Sendable {
  var kind: CameraKind { get }
  var traits: CameraTraits { get }
  /// One of these cameras in a sentence, with its article: `a clip`.
  var noun: String { get }
  /// How addresses are written: `sim`, `sim:OPTIONS`.
  var forms: [String] { get }

  // MARK: Addresses

  /// Reads a written address; `nil` for one of another kind.
  func address(parsing text: String) -> CameraAddress?
  /// A name for a recorder of this camera; made of letters, digits, `_`, `-` and `.` where the address is.
  func name(of address: CameraAddress) -> String
  /// The address by which a camera is known however it was written; `nil` if every opening is a source of its own.
  func place(of address: CameraAddress) -> CameraAddress?
  /// The path of the file that is read; `nil` for anything but a file.
  func file(of address: CameraAddress) -> String?
  /// The path of the device's node in `/dev`; `nil` without one.
  func node(of address: CameraAddress) -> String?
  /// What it is instead of hardware, in words: `simulated`, `the clip 'a.mov'`; `nil` for hardware.
  func substitute(_ address: CameraAddress) -> String?

  // MARK: Finding

  /// The camera to use if none is named; `nil` for a kind that has to be named.
  ///
  /// - Throws: code `device` if there is none, with what was tried.
  func first() throws(CamrecError) -> CameraAddress?
  /// The cameras that are there, and those that are known to be away, with the reason.
  func list() -> [CameraListing]
  /// The words, or beginnings of them, that completions offer: for hardware the cameras that it lists.
  func completions() -> [String]
  /// Identifies a camera that is there; `nil` if it cannot, or if the address finds the camera wherever it is.
  func key(of address: CameraAddress) -> CameraKey?
  /// The present address of a camera; `nil` while it is away.
  func address(of key: CameraKey) -> CameraAddress?

  // MARK: Opening

  /// Checks a camera, which may be in use, without setting anything.
  ///
  /// - Throws: code `device` for a camera that is missing or forbidden, `usage` for a mode that it does not offer.
  func check(_ address: CameraAddress, _ order: CameraOrder) throws(CamrecError)
  /// Opens a camera and sets the mode that the order means.
  ///
  /// - Throws: as `check`; `device` also for a camera in use, `input` for a file.
  func open(_ address: CameraAddress, _ order: CameraOrder) throws(CamrecError) -> OpenedCamera
  /// Opens the controls of a camera, even while it records.
  ///
  /// - Parameter keeping: whether changes stay when the controls are closed.
  /// - Throws: code `device` for a camera that is missing or forbidden, `usage` for one that has no controls.
  func openControls(_ address: CameraAddress, keeping: ControlKeeping) throws(CamrecError) -> any CameraControls
}

extension CameraProvider {
  package var forms: [String] { [kind.name, "\(kind.name):OPTIONS"] }

  package func address(parsing text: String) -> CameraAddress? {
    kind.place(in: text).map { CameraAddress(kind, $0) }
  }

  package func name(of address: CameraAddress) -> String { kind.name }
  package func place(of address: CameraAddress) -> CameraAddress? { nil }
  package func file(of address: CameraAddress) -> String? { nil }
  package func node(of address: CameraAddress) -> String? { nil }
  package func substitute(_ address: CameraAddress) -> String? { nil }
  package func first() throws(CamrecError) -> CameraAddress? { nil }
  package func list() -> [CameraListing] { [] }
  package func completions() -> [String] { traits.isHardware ? list().map(\.path) : [kind.name] }
  package func key(of address: CameraAddress) -> CameraKey? { nil }
  package func address(of key: CameraKey) -> CameraAddress? { nil }
  package func check(_ address: CameraAddress, _ order: CameraOrder) throws(CamrecError) {}

  package func openControls(
    _ address: CameraAddress, keeping: ControlKeeping
  ) throws(CamrecError) -> any CameraControls {
    throw CamrecError(.usage, about: .camera, "\(noun) has no controls; choose another \(setting: .camera)")
  }

  /// The refusal to control a camera that was opened without controls.
  package var lacksControls: CamrecError { CamrecError(.usage, "\(noun) has no controls with these options") }

  /// - Throws: code `usage` for a kind that delivers no frames at a rate.
  package func refuseUnlessRecordable() throws(CamrecError) {
    guard traits.delivery == .frames else {
      throw CamrecError(
        .usage, about: .camera,
        "\(noun) takes stills and has no frame rate, so it cannot be recorded; choose another \(setting: .camera)",
        reason: .notOffered)
    }
  }
}
