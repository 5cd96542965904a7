import Drawing
import Foundation
package import Frames
package import Goldens
import MediaFFmpeg
import Platform
import Reporting
import Synchronization

/// Writes a run of a suite as a page with images.
///
/// Thread: `add` from the threads that run cases.
package final class GoldenPage: Sendable {
  package let folder: String
  private let rows = Mutex<[String: [ReportPage.Row]]>([:])

  private static let gain = 8.0
  /// Nobody reads a page of thousands of images.
  package static let mostCases = 50

  /// The folder already has a page of camrec's, whose images may be replaced: those of older versions have no mark.
  private let isThere: Bool

  /// - Parameter folder: created if missing.
  /// - Throws: code `output`, also if the page there is not camrec's.
  package init(folder: String) throws(CamrecError) {
    self.folder = folder
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw CamrecError(.output, "the folder '\(folder)' cannot be made", cause: error.localizedDescription)
    }
    let page = GoldenPage.page(in: folder)
    try page.check()
    isThere = unsafe access(page.path, F_OK) == 0
  }

  private static func page(in folder: String) -> AtomicFile {
    AtomicFile(path: "\(folder)/index.html", mark: ReportPage.mark, mode: 0o644)
  }

  /// Replaces only camrec's images.
  private func picture(_ name: String) -> AtomicFile {
    let mark = AtomicFile.Mark(name: "picture", text: ReportPage.generator, older: isThere ? ["IHDR"] : [])
    return AtomicFile(path: "\(folder)/\(name)", mark: mark, mode: 0o644)
  }

  /// Whether the page has room for another case.
  package var hasRoom: Bool { rows.withLock { $0.count < GoldenPage.mostCases } }

  /// Writes what to show of a stage.
  ///
  /// - Throws: code `output`.
  package func add(_ stage: StageEvidence, of name: String) throws(CamrecError) {
    let made = try made(stage, name)
    rows.withLock { $0[name, default: []] += made }
  }

  /// The rows of a case.
  package subscript(name: String) -> [ReportPage.Row] {
    get { rows.withLock { $0[name] ?? [] } }
    set { rows.withLock { $0[name] = newValue } }
  }

  /// Writes the page.
  ///
  /// - Throws: code `output`.
  package func write(_ outcomes: [CaseOutcome], of count: Int, suite: String, facts: [String]) throws(CamrecError) {
    let sections = outcomes.map { ReportPage.Section($0, rows: self[$0.name]) }
    let page = ReportPage(suite: suite, facts: facts, sections: sections, of: count)
    try GoldenPage.page(in: folder).replace(with: page.text.utf8)
  }

  private func made(_ stage: StageEvidence, _ name: String) throws(CamrecError) -> [ReportPage.Row] {
    let subject = stage.subject
    var rows: [ReportPage.Row] = []
    if let quality = subject.quality {
      let heading = ["\(name), \(subject.stage.rawValue)", quality.words.replacing("ΔE2000", with: "delta E 2000")]
      let curves = ComparisonPlot.picture(of: quality.pictures, heading: heading)
      rows.append(
        ReportPage.Row(
          heading: "\(subject.stage.rawValue): over time",
          images: [ReportPage.Image(caption: quality.words, png: try png(curves))]))
    }
    for pair in stage.pairs {
      let heading = "\(subject.stage.rawValue) at \(HumanText.fixed(pair.seconds, 3)) s: \(pair.words)"
      let file = "\(name)-\(subject.stage.rawValue)-\(Int((1000 * pair.seconds).rounded()))ms"
      rows.append(ReportPage.Row(heading: heading, images: try images(pair, file)))
    }
    return rows
  }

  private func images(_ pair: StageEvidence.Pair, _ file: String) throws(CamrecError) -> [ReportPage.Image] {
    var pictures: [(name: String, caption: String, small: Picture, full: Picture)] = []
    var scopes: [(caption: String, picture: Picture)] = []
    for (name, view) in [("golden", pair.golden), ("got", pair.got)] {
      guard let view else { continue }
      pictures.append((name, name, view.small, view.full))
      scopes += [("waveform, \(name)", view.waveform), ("vectorscope, \(name)", view.vectorscope)]
    }
    if let golden = pair.golden, let got = pair.got {
      pictures.append(
        (
          "difference", "difference, \(Int(GoldenPage.gain)) times",
          Picture.difference(golden.small, got.small, gain: GoldenPage.gain),
          Picture.difference(golden.full, got.full, gain: GoldenPage.gain)
        ))
    }
    var images: [ReportPage.Image] = []
    for picture in pictures {
      let link = "\(file)-\(picture.name).png"
      try self.picture(link).replace(with: try png(picture.full))
      images.append(ReportPage.Image(caption: picture.caption, png: try png(picture.small), link: link))
    }
    for scope in scopes { images.append(ReportPage.Image(caption: scope.caption, png: try png(scope.picture))) }
    return images
  }

  private func png(_ picture: Picture) throws(CamrecError) -> Data {
    Data(
      try PNGImage.encode(
        width: picture.width, height: picture.height, rgb: picture.bytes, software: ReportPage.generator))
  }
}
