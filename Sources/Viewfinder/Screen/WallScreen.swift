import Frames
import RecorderAPI

/// All cameras beside one another.
struct WallScreen {
  private let model: ViewModel
  private let layout: ViewLayout
  let grid: WallGrid

  /// Pictures a second of each camera: for a few of them, and for many.
  private static let rates = (few: 30.0, many: 10.0)
  private static let few = 4

  init(_ model: ViewModel, width: Int, height: Int) {
    self.model = model
    layout = ViewLayout(width: width, height: height)
    let bottom = layout.rows(isShown: true).bottom
    grid = WallGrid(
      count: model.recorders.count, in: ViewRect(x: 0, y: 0, width: width, height: bottom.y),
      caption: layout.rowHeight + 2 * layout.border)
  }

  /// The picture's place in a tile, and that of the text below.
  private func parts(of tile: ViewRect) -> (live: ViewRect, caption: ViewRect) {
    let height = layout.rowHeight
    return (
      ViewRect(x: tile.x, y: tile.y, width: tile.width, height: tile.height - height).inset(by: layout.border),
      // Its words keep away from those of the tile beside it.
      ViewRect(x: tile.x, y: tile.bottom - height, width: tile.width - layout.textHeight, height: height)
    )
  }

  func wish(for id: ViewedRecorder.ID) -> PictureWish? {
    guard let index = model.recorders.firstIndex(where: { $0.id == id }) else { return nil }
    let live = parts(of: grid.tile(index)).live
    let rate = model.recorders.count <= WallScreen.few ? WallScreen.rates.few : WallScreen.rates.many
    let width = model.recorders[index].frame.map { live.fit(shape: $0.shape).width } ?? live.width
    return PictureWish(isGraded: model.isGraded, width: width, rate: rate)
  }

  // MARK: Drawing

  func commands(at now: MonotonicTime) -> [DrawCommand] {
    var commands: [DrawCommand] = []
    for (index, recorder) in model.recorders.enumerated() { draw(recorder, index, &commands, now) }
    let bottom = layout.rows(isShown: true).bottom
    let count = model.recorders.count
    let message = model.message.map { (text: $0.text, color: $0.isRefusal ? ViewColor.amber : .text) }
    // Below the names, where it fits.
    let isInRow = message.map { $0.text.count <= layout.columns(in: layout.width) } ?? false
    let choose = count > 1 ? "click or press 1 to \(min(9, count)): one camera" : "click or press 1: one camera"
    let keys = RowItem(["? keys  q quit", "? keys"], rank: 1, .dimText, isRight: true)
    var row = count > 0 ? [RowItem([choose], rank: 0, .dimText)] : []
    if isInRow, let message { row = [RowItem([message.text], rank: 0, message.color)] }
    commands.row(row + [keys], in: bottom, layout)
    let rect = ViewRect(x: 0, y: 0, width: layout.width, height: bottom.y)
    if model.showsKeys {
      KeysPanel(layout).draw(on: &commands, in: rect, isWall: true)
      return commands
    }
    if count == 0 { commands.sentences([("Waiting for a recorder to start.", .text)], in: rect, layout) }
    if !isInRow, let message { commands.sentences([message], in: rect, layout, on: .black) }
    return commands
  }

  private func draw(
    _ recorder: ViewedRecorder, _ index: Int, _ commands: inout [DrawCommand], _ now: MonotonicTime
  ) {
    let words = StatusWords(recorder), (live, caption) = parts(of: grid.tile(index))
    var target = live
    if let picture = recorder.picture, let frame = recorder.frame {
      target = live.fit(shape: frame.shape)
      let view = PictureView(target: target, part: .whole)
      if let shown = view.showing(picture.part) { commands.append(.picture(recorder.id, shown.source, shown.target)) }
      if words.age(at: now) != nil || !recorder.isRunning { commands.append(.fill(target, .veil)) }
    }
    switch words.tally {
    case .recording: commands.frame(target, width: layout.border, .red)
    case .preRoll: commands.frame(target, width: layout.border, .amber)
    case .idle: break
    }
    let trouble = words.troubles(at: now).first.map { (text: $0, color: ViewColor.amber) }
    commands.sentences([trouble].compactMap { $0 }, in: target, layout)
    let name = RowItem(ViewText.shortened("\(index + 1) \(recorder.id)", least: 8), rank: 1)
    commands.row([name, words.phase, words.losses, words.lostAudio, words.room].compactMap { $0 }, in: caption, layout)
  }
}
