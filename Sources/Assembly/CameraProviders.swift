package import Cameras
import CameraV4L2
package import Frames
import JPEGImages
import MediaFFmpeg
import Platform

/// The kinds of cameras that there are: every question about a camera goes to the provider of its kind.
package struct CameraProviders: Sendable {
  package let all: [any CameraProvider]

  /// - Parameter all: in the order in which they are asked and listed.
  package init(_ all: [any CameraProvider]) { self.all = all }

  package static let standard = CameraProviders([
    V4L2Provider(),
    SimulationProvider { (format) throws(CamrecError) in try JPEGEncoder(format: format, quality: 88) },
    ClipProvider(),
  ])

  /// The provider of an address's kind, if it is among these.
  package subscript(address: CameraAddress) -> (any CameraProvider)? { all.first { $0.kind == address.kind } }

  /// - Throws: code `usage` for a kind that is not among these.
  package func provider(of address: CameraAddress) throws(CamrecError) -> any CameraProvider {
    guard let provider = self[address] else { throw refusal }
    return provider
  }

  /// Reads an address as the command line writes it.
  ///
  /// - Throws: code `usage` for one that no provider knows.
  package func address(parsing text: String) throws(CamrecError) -> CameraAddress {
    for provider in all {
      if let address = provider.address(parsing: text) { return address }
    }
    throw refusal
  }

  private var refusal: CamrecError {
    let forms = all.flatMap(\.forms), others = forms.dropLast().joined(separator: ", ")
    let known = (others.isEmpty ? "" : "\(others) or ") + (forms.last ?? "not there")
    return CamrecError(.usage, "a camera is " + known).about(.camera)
  }

  /// The named camera, or the first that there is.
  ///
  /// - Throws: code `device` if none is named and there is none.
  package func chosen(_ address: CameraAddress?) throws(CamrecError) -> CameraAddress {
    if let address { return address }
    var refusal: CamrecError?
    for provider in all {
      do throws(CamrecError) {
        if let first = try provider.first() { return first }
      } catch {
        refusal = refusal ?? error
      }
    }
    throw refusal
      ?? CamrecError(.device, about: .camera, "no camera found; name one with \(setting: .camera)", reason: .noDevice)
  }

  /// The cameras that are there, and those that are known to be away.
  package func list() -> [CameraListing] { all.flatMap { $0.list() } }

  /// Opens the controls of the camera that `--camera` names (`nil`: the first), even while it records. A simulated
  /// camera is created anew, and its settings are lost when it closes.
  ///
  /// - Parameter keeping: whether changes stay when the controls are closed.
  /// - Throws: code `device` for a camera that is missing or forbidden, `usage` for one that has no controls.
  package func openControls(
    _ address: CameraAddress?, keeping: ControlKeeping
  ) throws(CamrecError) -> any CameraControls {
    let address = try chosen(address)
    return try provider(of: address).openControls(address, keeping: keeping)
  }

  /// Whether a camera (`nil`: the first) brings its own audio.
  package func hasOwnSound(_ address: CameraAddress?) -> Bool {
    guard let address, let provider = self[address] else { return false }
    return provider.traits.hasOwnSound
  }

  /// The address as it is written in any folder: with a file's absolute path. Text that no provider knows stays as it
  /// is.
  package func absolute(_ text: String) -> String {
    guard let address = try? address(parsing: text), let file = self[address]?.file(of: address) else { return text }
    return CameraAddress(address.kind, PathText(file).absolute).written
  }

  /// What completions offer for `--camera`: first what is always there, then the cameras that are found.
  ///
  /// - Parameter controls: only cameras that have controls.
  package func completions(controls: Bool = false) -> [String] {
    let offered = controls ? all.filter(\.traits.hasControls) : all
    return (offered.filter { !$0.traits.isHardware } + offered.filter(\.traits.isHardware)).flatMap { $0.completions() }
  }
}
