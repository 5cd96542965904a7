/// One thing in a row of text, in several lengths.
struct RowItem: Hashable, Sendable {
  struct Form: Hashable, Sendable {
    var text: String
    /// Whether the level of the audio is drawn before it.
    var hasMeter = false

    /// In letters.
    var width: Int { text.count + (hasMeter ? RowItem.meterWidth + 1 : 0) }
  }

  /// Of the drawn level, in letters.
  static let meterWidth = 10

  /// The longest first.
  var forms: [Form]
  /// 0: never left out.
  var rank: Int
  var color: ViewColor
  /// Behind it, for what has to be seen from afar.
  var ground: ViewColor?
  /// At the right end of the row.
  var isRight: Bool

  init(
    _ forms: [String], rank: Int, _ color: ViewColor = .text, on ground: ViewColor? = nil, isRight: Bool = false
  ) {
    self.forms = forms.map { Form(text: $0) }
    self.rank = rank
    self.color = color
    self.ground = ground
    self.isRight = isRight
  }
}

/// Chooses what of a row fits: as many things as possible, the most important first, each as long as there is room.
struct RowFit {
  /// A thing and where it begins, in letters from the left.
  struct Place: Hashable {
    let item: RowItem
    let form: RowItem.Form
    let column: Int
  }

  /// Letters between two things.
  static let gap = 2

  static func places(_ items: [RowItem], columns: Int) -> [Place] {
    func width(_ chosen: [Int: Int]) -> Int {
      chosen.reduce(gap * max(0, chosen.count - 1)) { $0 + items[$1.key].forms[$1.value].width }
    }
    let order = items.indices.sorted { (items[$0].rank, $0) < (items[$1].rank, $1) }
    var chosen: [Int: Int] = [:]
    for index in order {
      var more = chosen
      more[index] = items[index].forms.count - 1
      if width(more) <= columns || chosen.isEmpty { chosen = more }
    }
    for index in order where chosen[index] != nil {
      for form in items[index].forms.indices {
        var longer = chosen
        longer[index] = form
        guard width(longer) <= columns else { continue }
        chosen = longer
        break
      }
    }
    return columnsOf(items, chosen, columns)
  }

  private static func columnsOf(_ items: [RowItem], _ chosen: [Int: Int], _ columns: Int) -> [Place] {
    var places: [Place] = [], left = 0
    for index in items.indices where !items[index].isRight {
      guard let form = chosen[index].map({ items[index].forms[$0] }) else { continue }
      places.append(Place(item: items[index], form: form, column: left))
      left += form.width + gap
    }
    let right = items.indices.filter { items[$0].isRight && chosen[$0] != nil }
    let length = right.reduce(gap * max(0, right.count - 1)) { $0 + items[$1].forms[chosen[$1] ?? 0].width }
    var column = max(left, columns - length)
    for index in right {
      let form = items[index].forms[chosen[index] ?? 0]
      places.append(Place(item: items[index], form: form, column: column))
      column += form.width + gap
    }
    return places
  }
}
