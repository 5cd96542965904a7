public import Cameras
public import Frames
import Platform
import Synchronization

/// The controls of a V4L2 camera, over a descriptor of their own: they can be read and set while frames are taken.
///
/// Before the first change of a control, the value found is written to a file (`FoundFile`). `restore` puts it back and
/// removes the file; if camrec was killed before that, the next opening does.
///
/// Thread: any; calls wait for each other.
public final class V4L2Controls: CameraControls {
  public let name: String
  public let identity: String
  let port: any ControlPort
  let state: Mutex<State>

  struct State {
    let keeping: ControlKeeping
    var file: FoundFile<FoundControls>
    var found = FoundControls()
    var warnings: [String] = []
    /// The driver's numbers of the controls whose changes it reports; `nil` before the first call of `changes`.
    var watched: Set<UInt32>?
    var known: [CameraControl: ControlValue] = [:]

    mutating func warn(_ sentence: String) {
      if !warnings.contains(sentence) { warnings.append(sentence) }
    }
  }

  /// Opens the controls of the camera at `path`, even while another program streams from it, and puts back what a
  /// killed camrec had changed.
  ///
  /// - Throws: code `device` for a node that is missing, forbidden or not a camera.
  public static func open(path: String, keeping: ControlKeeping) throws(CamrecError) -> V4L2Controls {
    let device = try V4L2Device.open(path: path)
    guard device.capability.isCapture else {
      throw CamrecError(.device, "\(device.name) does not capture video; `camrec devices` lists the cameras")
    }
    return V4L2Controls(
      name: device.name, identity: device.identity(), port: DeviceControls(device), folder: StateFolder.path,
      keeping: keeping)
  }

  package init(name: String, identity: String, port: any ControlPort, folder: String, keeping: ControlKeeping) {
    self.name = name
    self.identity = identity
    self.port = port
    let file = FoundFile<FoundControls>(folder: folder, identity: identity, what: "the camera's controls")
    state = Mutex(State(keeping: keeping, file: file))
    state.withLock { restoreAfterCrash(&$0) }
  }

  deinit { restore() }

  public var warnings: [String] { state.withLock { $0.warnings } }

  public func offers() throws(CamrecError) -> [ControlOffer] {
    try state.withLock { (state) throws(CamrecError) in
      var offers: [ControlOffer] = []
      for control in CameraControl.allCases {
        do throws(V4L2CallError) {
          if let offer = try find(control, &state)?.offer { offers.append(offer) }
        } catch {
          // Healthy USB cameras may refuse single controls.
          if error.isGone { throw error.explained(device: name) }
          state.warn(error.explained(control, device: name, ruler: nil).message)
        }
      }
      return offers
    }
  }

  public func value(of control: CameraControl) throws(CamrecError) -> ControlValue {
    try state.withLock { (state) throws(CamrecError) in
      try value(of: try present(control, &state), &state)
    }
  }

  // MARK: With the lock

  /// A control that the camera has: a driver's control, or the crop.
  enum Present {
    case mapped(MappedControl)
    case zoom(DigitalZoom)

    var offer: ControlOffer {
      switch self {
      case .mapped(let mapped): mapped.offer
      case .zoom(let zoom): zoom.offer
      }
    }
  }

  /// `nil` if the camera lacks it, or describes it in a way that makes it unusable.
  func find(_ control: CameraControl, _ state: inout State) throws(V4L2CallError) -> Present? {
    if control == .digitalZoom { return try port.crop().flatMap(DigitalZoom.init).map(Present.zoom) }
    for mapping in ControlMapping.mappings(of: control) {
      guard let facts = try port.facts(of: mapping.id) else { continue }
      let menu = try menu(mapping, facts)
      do throws(MappedControl.Nonsense) {
        let mapped = try MappedControl(mapping, facts, menu: menu)
        if let oddity = mapped.oddity { state.warn("\(name) \(oddity)") }
        return .mapped(mapped)
      } catch {
        state.warn("\(name) \(error.words)")
      }
    }
    return nil
  }

  private func menu(_ mapping: ControlMapping, _ facts: ControlFacts) throws(V4L2CallError) -> [ControlMenuItem] {
    guard mapping.form.hasMenu, facts.minimum >= 0, facts.minimum <= facts.maximum,
      facts.maximum < V4L2Controls.longestMenu
    else { return [] }
    var items: [ControlMenuItem] = []
    for index in facts.minimum...facts.maximum {
      if let item = try port.menuItem(index, of: facts) { items.append(item) }
    }
    return items
  }

  /// No camera has more items; asking for all that a faulty one claims would take minutes.
  private static let longestMenu: Int64 = 1024

  /// - Throws: code `device` for a control that is missing or does not answer.
  func present(_ control: CameraControl, _ state: inout State) throws(CamrecError) -> Present {
    let found = try explaining(control, &state) { (state) throws(V4L2CallError) in try find(control, &state) }
    guard let found else { throw CamrecError(.device, control.absence(on: name), reason: .notOffered) }
    return found
  }

  func value(of present: Present, _ state: inout State) throws(CamrecError) -> ControlValue {
    guard case .mapped(let mapped) = present else {
      guard case .zoom(let zoom) = present else { return .none }
      return .number(zoom.factor)
    }
    let (control, facts) = (mapped.mapping.control, mapped.facts)
    if case .trigger = mapped.offer.kind { return .none }
    guard !facts.isWriteOnly else {
      throw CamrecError(.device, ControlSentence.writeOnly(control, camera: name))
    }
    let raw = try explaining(control, &state) { (_) throws(V4L2CallError) in try port.value(of: facts) }
    guard let value = mapped.value(of: raw) else {
      throw CamrecError(
        .device, "\(name) reports \(raw) for its \(control.rawValue), which is not one of \(mapped.offer.wanted)")
    }
    if case .number(let number) = value, raw < facts.minimum || raw > facts.maximum {
      state.warn(
        "\(name) reports \(ControlValue.digits(number))\(mapped.offer.unit.sign) for its \(control.rawValue), "
          + "outside its own range of \(mapped.offer.wanted)")
    }
    return value
  }

  /// Runs calls about one control and turns a failure into a message.
  func explaining<Answer>(
    _ control: CameraControl, _ state: inout State, _ calls: (inout State) throws(V4L2CallError) -> Answer
  ) throws(CamrecError) -> Answer {
    do throws(V4L2CallError) {
      return try calls(&state)
    } catch {
      throw error.explained(control, device: name, ruler: ruler(of: control, &state))
    }
  }

  /// The control of this camera that rules `control`, if there is one.
  func ruler(
    of control: CameraControl, _ state: inout State
  ) -> (control: CameraControl, manual: ControlValue)? {
    var candidates = [control.ruler].compactMap { $0 }
    // Many cameras have one automatic for the whole exposure.
    if control == .gain || control == .iso { candidates.append((.exposureMode, .choice("manual"))) }
    return candidates.first { (try? find($0.control, &state)) != nil }
  }
}
