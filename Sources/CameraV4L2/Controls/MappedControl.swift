package import Cameras

/// A control of the camera with its mapping between camrec's values and the driver's numbers.
package struct MappedControl: Sendable {
  package let mapping: ControlMapping
  package let facts: ControlFacts
  package let offer: ControlOffer
  /// An error in the driver's description, as the end of a sentence that begins with the camera.
  package let oddity: String?
  /// A menu's numbers in our unit, or the words for its indices.
  private let numbers: [(index: Int64, number: Double)]
  private let words: [Int64: String]

  /// - Parameter menu: the items that the camera has.
  /// - Throws: `Nonsense` for a control that cannot be used as the driver describes it.
  package init(_ mapping: ControlMapping, _ facts: ControlFacts, menu: [ControlMenuItem]) throws(Nonsense) {
    let name = mapping.control.rawValue
    guard mapping.form.takes(facts.kind) else {
      throw Nonsense("reports the wrong kind of control for its \(name); camrec leaves it alone")
    }
    guard facts.minimum <= facts.maximum, MappedControl.sane.contains(facts.minimum),
      MappedControl.sane.contains(facts.maximum)
    else {
      throw Nonsense(
        "reports a range of \(facts.minimum) to \(facts.maximum) for its \(name); camrec leaves it alone")
    }
    self.mapping = mapping
    self.facts = facts
    var oddity: String?
    var numbers: [(index: Int64, number: Double)] = []
    var words: [Int64: String] = [:]
    let kind: ControlOffer.Kind
    switch mapping.form {
    case .flag, .bit:
      kind = .flag
    case .number(let perUnit):
      if facts.step < 1 { oddity = "reports steps of \(facts.step) for its \(name); camrec uses 1" }
      kind = .number(
        minimum: Double(facts.minimum) / perUnit, maximum: Double(facts.maximum) / perUnit,
        step: Double(max(1, facts.step)) / perUnit)
    case .listed(let perUnit):
      let scale = MappedControl.scale(menu, perUnit, mapping.control)
      numbers = menu.map { (index: $0.index, number: Double($0.number) / scale) }.sorted { $0.number < $1.number }
      kind = .listed(numbers.map(\.number))
    case .choice(let known):
      words = known.filter { item in menu.contains { $0.index == item.key } }
      kind = .choice(words.sorted { $0.key < $1.key }.map(\.value))
    case .state(let known):
      words = known
      kind = .choice(known.sorted { $0.key < $1.key }.map(\.value))
    case .trigger:
      kind = .trigger
    }
    switch kind {
    case .choice([]), .listed([]):
      throw Nonsense("reports nothing to choose for its \(name); camrec leaves it alone")
    default: break
    }
    self.numbers = numbers
    self.words = words
    self.oddity = oddity
    var standard: ControlValue?
    if case .trigger = kind {} else {
      standard = MappedControl.value(of: facts.defaultValue, mapping.form, numbers, words)
    }
    offer = ControlOffer(
      mapping.control, kind, unit: mapping.unit, defaultValue: standard,
      isReadOnly: facts.isReadOnly || mapping.form.isOnlyRead, isRuled: facts.isInactive)
  }

  /// The numbers that a double holds exactly; no real control goes beyond them.
  private static let sane: ClosedRange<Int64> = -1 << 52...1 << 52

  /// Why a control cannot be used.
  package struct Nonsense: Error {
    package let words: String
    init(_ words: String) { self.words = words }
  }

  /// The driver's number as camrec's value; `nil` if the number has no meaning.
  package func value(of raw: Int64) -> ControlValue? { MappedControl.value(of: raw, mapping.form, numbers, words) }

  /// The driver's number nearest to `value`, which `offer.check` has accepted.
  ///
  /// - Parameter current: the present number, for the other bits of a mask.
  package func raw(for value: ControlValue, current: Int64) -> Int64 {
    switch (mapping.form, value) {
    case (.flag, .flag(let isOn)): return isOn ? 1 : 0
    case (.bit(let bit), .flag(let isOn)): return isOn ? current | bit : current & ~bit
    case (.number(let perUnit), .number(let number)): return stepped(number * perUnit)
    case (.listed, .number(let number)):
      return numbers.min { abs($0.number - number) < abs($1.number - number) }?.index ?? current
    case (.choice, .choice(let word)): return words.first { $0.value == word }?.key ?? current
    default: return current
    }
  }

  /// Steps count from the minimum.
  private func stepped(_ number: Double) -> Int64 {
    let step = Double(max(1, facts.step)), low = Double(facts.minimum)
    let most = ((Double(facts.maximum) - low) / step).rounded(.down)
    return facts.minimum + Int64(min(max(((number - low) / step).rounded(), 0), most)) * max(1, facts.step)
  }

  private static func value(
    of raw: Int64, _ form: ControlMapping.Form, _ numbers: [(index: Int64, number: Double)], _ words: [Int64: String]
  ) -> ControlValue? {
    switch form {
    case .flag: .flag(raw != 0)
    case .bit(let bit): .flag(raw & bit != 0)
    case .number(let perUnit): .number(Double(raw) / perUnit)
    case .listed: numbers.first { $0.index == raw }.map { .number($0.number) }
    case .choice, .state: words[raw].map(ControlValue.choice)
    case .trigger: ControlValue.none
    }
  }

  /// Some drivers list plain ISO speeds: if they were thousandths, the slowest would be below ISO 10.
  private static func scale(_ menu: [ControlMenuItem], _ perUnit: Double, _ control: CameraControl) -> Double {
    let slowest = menu.map(\.number).min() ?? 0
    return control == .iso && slowest < 10_000 ? 1 : perUnit
  }
}

extension ControlMapping.Form {
  fileprivate func takes(_ kind: ControlFacts.Kind) -> Bool {
    switch self {
    case .flag: [.boolean, .integer, .menu, .integerMenu].contains(kind)
    case .number: [.integer, .wideInteger].contains(kind)
    case .listed: kind == .integerMenu
    case .choice: kind == .menu
    case .bit, .state: kind == .bitmask
    case .trigger: kind == .button
    }
  }

  fileprivate var isOnlyRead: Bool {
    if case .state = self { true } else { false }
  }

  var hasMenu: Bool {
    switch self {
    case .listed, .choice: true
    default: false
    }
  }
}
