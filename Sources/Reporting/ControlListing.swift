package import Cameras
package import Frames

/// A camera's controls for a person to read or a program to parse.
package struct ControlListing: Encodable {
  /// A control and its value.
  package struct Entry: Encodable {
    package let name: String
    /// `number`, `listed`, `flag`, `choice`, `point` or `trigger`.
    package let kind: String
    package let unit: ControlUnit?
    package let value: Plain?
    package let minimum: Double?
    package let maximum: Double?
    package let step: Double?
    package let values: [Double]?
    package let choices: [String]?
    package let defaultValue: Plain?
    package let isReadOnly: Bool
    package let isRuled: Bool
    /// The control that rules it, if known.
    package let ruledBy: String?
    /// Why there is no value.
    package let problem: String?

    /// `exposure-time  0.0156 s (0.0001 to 0.5 s in steps of 0.0001 s, default 0.0156 s), controlled by an automatic`.
    package let line: String

    package init(
      name: String, kind: String, unit: ControlUnit?, value: Plain?, minimum: Double?, maximum: Double?,
      step: Double?, values: [Double]?, choices: [String]?, defaultValue: Plain?, isReadOnly: Bool, isRuled: Bool,
      ruledBy: String?, problem: String?, line: String
    ) {
      self.name = name
      self.kind = kind
      self.unit = unit
      self.value = value
      self.minimum = minimum
      self.maximum = maximum
      self.step = step
      self.values = values
      self.choices = choices
      self.defaultValue = defaultValue
      self.isReadOnly = isReadOnly
      self.isRuled = isRuled
      self.ruledBy = ruledBy
      self.problem = problem
      self.line = line
    }

    private enum CodingKeys: String, CodingKey {
      case name, kind, unit, value, minimum, maximum, step, values, choices, defaultValue, isReadOnly, isRuled, ruledBy
      case problem
    }
  }

  /// A value in JSON: a number, true or false, a word, or two numbers.
  package struct Plain: Encodable {
    package let value: ControlValue

    package init(value: ControlValue) {
      self.value = value
    }

    package func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch value {
      case .number(let number): try container.encode(number)
      case .flag(let isOn): try container.encode(isOn)
      case .choice(let word): try container.encode(word)
      case .point(let x, let y): try container.encode([x, y])
      case .none: try container.encodeNil()
      }
    }
  }

  package let camera: String
  package let identity: String
  package let controls: [Entry]
  /// What the camera does not have.
  package let lacking: [String]
  package let warnings: [String]

  package init(of camera: any CameraControls) throws(CamrecError) {
    var entries: [Entry] = []
    let offers = try camera.offers()
    for offer in offers {
      do throws(CamrecError) {
        entries.append(Entry(offer, value: try camera.value(of: offer.control), problem: nil))
      } catch {
        entries.append(Entry(offer, value: nil, problem: error.message))
      }
    }
    self.camera = camera.name
    identity = camera.identity
    controls = entries
    let offered = Set(offers.map(\.control))
    lacking = CameraControl.allCases.filter { !offered.contains($0) && ControlListing.lacks(camera, $0) }
      .map(\.rawValue)
    warnings = camera.warnings
  }

  /// Whether the camera really lacks a control that it does not offer, rather than keeping silent about it.
  private static func lacks(_ camera: any CameraControls, _ control: CameraControl) -> Bool {
    do throws(CamrecError) {
      _ = try camera.value(of: control)
      return false
    } catch {
      return error.message == control.absence(on: camera.name)
    }
  }

  package var lines: [String] {
    var lines = [camera] + controls.map { "  \($0.line)" }
    if controls.isEmpty { lines.append("  no controls") }
    if !lacking.isEmpty { lines.append("  not available: " + lacking.joined(separator: ", ")) }
    return lines
  }

  /// The value that a control was set to, and the value asked for if that differs.
  package static func outcome(_ change: ControlChange, wanted: [ControlChange], _ offer: ControlOffer) -> String {
    let text = "\(change.control.rawValue) \(change.value.text(in: offer.unit))"
    let asked = wanted.last { $0.control == change.control }?.value ?? change.value
    // Equal text counts as equal, because a unit's fraction is not exact in binary.
    let words = asked.text(in: offer.unit)
    guard words != change.value.text(in: offer.unit), offer.kind != .trigger else { return text }
    return text + " (asked for \(words))"
  }
}

extension ControlListing.Entry {
  package init(_ offer: ControlOffer, value: ControlValue?, problem: String?) {
    var range: (minimum: Double, maximum: Double, step: Double)?
    var values: [Double]?
    var choices: [String]?
    switch offer.kind {
    case .number(let minimum, let maximum, let step):
      kind = "number"
      range = (minimum, maximum, step)
    case .listed(let numbers):
      kind = "listed"
      values = numbers
    case .flag: kind = "flag"
    case .choice(let words):
      kind = "choice"
      choices = words
    case .point: kind = "point"
    case .trigger: kind = "trigger"
    }
    name = offer.control.rawValue
    unit = ["number", "listed"].contains(kind) ? offer.unit : nil
    (minimum, maximum, step) = (range?.minimum, range?.maximum, range?.step)
    (self.values, self.choices) = (values, choices)
    self.value = value.map(ControlListing.Plain.init)
    defaultValue = offer.defaultValue.map(ControlListing.Plain.init)
    (isReadOnly, isRuled, self.problem) = (offer.isReadOnly, offer.isRuled, problem)
    ruledBy = offer.isRuled ? offer.control.ruler?.control.rawValue : nil
    line = ControlListing.Entry.line(offer, value, problem)
  }

  private static func line(_ offer: ControlOffer, _ value: ControlValue?, _ problem: String?) -> String {
    var text = offer.control.rawValue.padding(to: 20)
    if let value, value != .none { text += " \(value.text(in: offer.unit))" }
    var taken = offer.wanted
    if case .number(_, _, let step) = offer.kind, step > 0, step != 1 || offer.unit != .own {
      taken += " in steps of \(ControlValue.digits(step))\(offer.unit.sign)"
    }
    if let standard = offer.defaultValue { taken += "; default \(standard.text(in: offer.unit))" }
    text += " (\(taken))"
    if offer.isReadOnly { text += ", read-only" }
    if offer.isRuled { text += ", controlled by \(offer.control.ruler?.control.rawValue ?? "another control")" }
    if let problem { text += ": \(problem)" }
    return text
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
