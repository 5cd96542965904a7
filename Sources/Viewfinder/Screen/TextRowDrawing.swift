import Drawing

extension [DrawCommand] {
  /// Text in one colour.
  ///
  /// - Parameter y: the middle of its capitals.
  mutating func write(_ text: String, x: Int, middle y: Int, height: Int, _ color: ViewColor) {
    append(.text(ViewText.drawable(text), x: x, y: y - height / 2, height: height, color))
  }

  /// What fits of a row.
  ///
  /// - Parameter levels: of the audio, for the thing that has a meter.
  mutating func row(
    _ items: [RowItem], in rect: ViewRect, _ layout: ViewLayout, textHeight: Int? = nil,
    levels: [StatusWords.Level] = []
  ) {
    guard !rect.isEmpty else { return }
    let height = textHeight ?? layout.textHeight, letter = ViewLayout.letter(height)
    let columns = Int((Double(rect.width - 2 * layout.margin) + letter / 4) / letter)
    let middle = rect.y + rect.height / 2
    for place in RowFit.places(items, columns: columns) {
      var x = rect.x + layout.margin + Int(Double(place.column) * letter)
      let width = Int(Double(place.form.width) * letter - letter / 4)
      if let ground = place.item.ground {
        let chip = ViewRect(x: x, y: middle - height / 2, width: width, height: height).inset(by: -height / 2)
        append(.fill(chip, ground))
      }
      if place.form.hasMeter {
        let length = Int(Double(RowItem.meterWidth) * letter)
        meter(levels, ViewRect(x: x, y: middle - height / 2, width: length, height: height))
        x += Int(Double(RowItem.meterWidth + 1) * letter)
      }
      write(place.form.text, x: x, middle: middle, height: height, place.item.color)
    }
  }

  /// Bars for the channels, from `StatusWords.silence` to full scale: green, amber near full scale, red at its end.
  private mutating func meter(_ levels: [StatusWords.Level], _ rect: ViewRect) {
    let count = Swift.max(1, levels.count)
    func place(_ decibels: Double) -> Int { Int((1 - decibels / StatusWords.silence) * Double(rect.width)) }
    let zones: [(from: Double, to: Double, color: ViewColor)] = [
      (StatusWords.silence, -12, .green), (-12, -3, .amber), (-3, 0, .red),
    ]
    for (index, level) in levels.enumerated() {
      let top = rect.y + rect.height * index / count, bottom = rect.y + rect.height * (index + 1) / count
      let height = Swift.max(1, bottom - top - (count > 1 ? 1 : 0))
      append(.fill(ViewRect(x: rect.x, y: top, width: rect.width, height: height), ViewColor(48, 48, 48)))
      for zone in zones where level.peak > zone.from {
        let left = place(zone.from), right = place(Swift.min(level.peak, zone.to))
        append(.fill(ViewRect(x: rect.x + left, y: top, width: right - left, height: height), zone.color))
      }
      if level.held > StatusWords.silence {
        let width = Swift.max(2, rect.height / 8), x = Swift.min(place(level.held), rect.width - width)
        append(.fill(ViewRect(x: rect.x + x, y: top, width: width, height: height), .text))
      }
    }
  }

  /// Sentences at the lower edge of a rectangle, within it.
  ///
  /// - Parameter shade: the colour behind them.
  mutating func sentences(
    _ sentences: [(text: String, color: ViewColor)], in rect: ViewRect, _ layout: ViewLayout,
    on shade: ViewColor = .shade
  ) {
    let columns = layout.columns(in: rect.width), step = layout.textHeight * 7 / 4
    let lines = sentences.flatMap { sentence in
      ViewText.lines(ViewText.drawable(sentence.text), columns: columns).map { (text: $0, color: sentence.color) }
    }.suffix(Swift.max(1, (rect.height - layout.textHeight) / Swift.max(1, step)))
    guard !lines.isEmpty else { return }
    let height = lines.count * step + layout.textHeight
    let ground = ViewRect(x: rect.x, y: rect.bottom - height, width: rect.width, height: height)
    append(.fill(ground, shade))
    for (index, line) in lines.enumerated() {
      write(
        line.text, x: ground.x + layout.margin, middle: ground.y + layout.textHeight / 2 + step * index + step / 2,
        height: layout.textHeight, line.color)
    }
  }
}
