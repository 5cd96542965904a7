import Foundation
import Frames
import RecorderAPI

/// One camera in the whole window.
struct SingleScreen {
  private let model: ViewModel
  private let recorder: ViewedRecorder
  private let words: StatusWords
  let layout: ViewLayout
  /// Where the picture may be.
  let live: ViewRect

  /// Pictures a second: whatever the camera gives.
  static let rate = 120.0
  /// In pixels, while the frame's shape is not known.
  private static let firstWidth = 640

  /// - Returns: `nil` if none is chosen.
  init?(_ model: ViewModel, width: Int, height: Int) {
    guard let recorder = model.single else { return nil }
    self.model = model
    self.recorder = recorder
    words = StatusWords(recorder)
    layout = ViewLayout(width: width, height: height)
    live = layout.live(showsRows: model.showsInformation)
  }

  /// The upright frame's size; `nil` before the first picture.
  var frame: FrameExtent? { recorder.frame }

  /// Where the picture is shown; `nil` before the first one.
  var view: PictureView? { frame.map { model.zoom.view(of: $0, in: live) } }

  var wish: PictureWish {
    // The level of the audio and the frame's size come with the measures, where no state tells them.
    let wantsMeasures = model.showsHistogram || recorder.control != .allowed || recorder.state?.source == nil
    guard let view, let frame else {
      return PictureWish(
        isGraded: model.isGraded, width: min(live.width, SingleScreen.firstWidth), rate: SingleScreen.rate,
        wantsMeasures: wantsMeasures)
    }
    let pixels = Int((view.part.width * Double(frame.width)).rounded())
    return PictureWish(
      isGraded: model.isGraded, width: min(view.target.width, pixels), part: view.part, rate: SingleScreen.rate,
      wantsMeasures: wantsMeasures)
  }

  // MARK: Drawing

  func commands(at now: MonotonicTime) -> [DrawCommand] {
    var commands: [DrawCommand] = []
    drawPicture(&commands, now)
    let (top, bottom) = layout.rows(isShown: model.showsInformation)
    commands.row(topRow, in: top, layout)
    commands.row(bottomRow, in: bottom, layout, levels: words.levels ?? [])
    if model.showsKeys {
      KeysPanel(layout).draw(on: &commands, in: live, isWall: false)
      return commands
    }
    if model.showsHistogram { HistogramPanel(recorder.measures, layout).draw(on: &commands, in: view?.target ?? live) }
    var sentences = words.troubles(at: now).map { (text: $0, color: ViewColor.amber) }
    if let message = model.message, model.showsInformation || message.isRefusal {
      sentences.append((message.text, message.isRefusal ? .amber : .text))
    }
    commands.sentences(sentences, in: live, layout)
    return commands
  }

  private func drawPicture(_ commands: inout [DrawCommand], _ now: MonotonicTime) {
    guard let picture = recorder.picture, let view, let shown = view.showing(picture.part), !shown.target.isEmpty else {
      return drawTally(&commands, live)
    }
    commands.append(.picture(recorder.id, shown.source, shown.target))
    if words.age(at: now) != nil || !recorder.isRunning { commands.append(.fill(view.target, .veil)) }
    drawTally(&commands, view.target)
  }

  private func drawTally(_ commands: inout [DrawCommand], _ rect: ViewRect) {
    switch words.tally {
    case .recording: commands.frame(rect, width: layout.border, .red)
    case .preRoll: commands.frame(rect, width: layout.border, .amber)
    case .idle: break
    }
  }

  private var topRow: [RowItem] {
    let name = RowItem(ViewText.shortened(recorder.id, least: 8), rank: 5, .dimText, isRight: true)
    return [
      words.phase, words.timecode, words.exposureOff, words.bias, words.iso, words.shutter, words.whiteBalance,
      words.format, name,
    ].compactMap { $0 }
  }

  private var bottomRow: [RowItem] {
    let grade = recorder.picture.map {
      RowItem([$0.header.flags.contains(.graded) ? "graded" : "ungraded"], rank: 5, .dimText, isRight: true)
    }
    return [
      words.losses, words.lostAudio, words.unsaved, words.room, words.level, onlyLooking, scale, words.mode, grade,
      keys,
    ].compactMap { $0 }
  }

  private var onlyLooking: RowItem? {
    guard case .denied = recorder.control else { return nil }
    return RowItem(["looking only"], rank: 2, .amber, isRight: true)
  }

  private var scale: RowItem? {
    switch model.zoom.scale {
    case .fit: nil
    case .full: RowItem(["1:1"], rank: 4, isRight: true)
    case .times(let times): RowItem([String(format: "%.1f×", times)], rank: 4, isRight: true)
    }
  }

  private var keys: RowItem {
    let space: String? =
      switch recorder.control == .allowed ? recorder.state?.phase : nil {
      case .standby: "space record"
      case .recording, .waiting: "space stop"
      case .starting, .stopping, .ended, nil: nil
      }
    return RowItem((space.map { ["\($0)  ? keys"] } ?? []) + ["? keys"], rank: 6, .dimText, isRight: true)
  }
}

extension ViewedRecorder {
  /// The upright frame's size; `nil` before the first picture, which tells whether it is turned.
  var frame: FrameExtent? {
    guard let picture, picture.header.width > 0, picture.header.height > 0 else { return nil }
    let (width, height) = (Double(picture.header.width), Double(picture.header.height))
    // Of the whole frame, whatever part this picture has.
    let shape = width / picture.part.width / (height / picture.part.height)
    for extent in [measured, state?.source.map { FrameExtent(width: $0.width, height: $0.height) }] {
      guard let extent else { continue }
      if extent.isClose(to: shape) { return extent }
      if extent.turned.isClose(to: shape) { return extent.turned }
    }
    return FrameExtent(
      width: Int((width / picture.part.width).rounded()), height: Int((height / picture.part.height).rounded()))
  }
}

extension FrameExtent {
  var turned: FrameExtent { FrameExtent(width: height, height: width) }

  /// Pictures have even sides, so that their shape may differ a little.
  fileprivate func isClose(to other: Double) -> Bool { abs(shape / other - 1) < 0.02 }
}
