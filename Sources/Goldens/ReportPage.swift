public import Foundation
import Frames
public import Platform

/// A self-contained HTML page on a run of a suite: a summary, a table, and for each case what differs, with images.
public struct ReportPage {
  /// An image in the page.
  public struct Image: Hashable, Sendable, Codable {
    public let caption: String
    /// A PNG file's bytes.
    public let png: Data
    /// The link to the full-size image beside the page; `nil` if there is none.
    public let link: String?

    public init(caption: String, png: Data, link: String? = nil) {
      self.caption = caption
      self.png = png
      self.link = link
    }
  }

  /// Images that belong together, such as golden, got, difference and scopes of a frame.
  public struct Row: Hashable, Sendable, Codable {
    public let heading: String
    public let images: [Image]

    public init(heading: String, images: [Image]) {
      self.heading = heading
      self.images = images
    }
  }

  public struct Section {
    public let outcome: CaseOutcome
    public let rows: [Row]

    public init(_ outcome: CaseOutcome, rows: [Row]) {
      self.outcome = outcome
      self.rows = rows
    }

    /// A case that holds and has no images is in the table only.
    fileprivate var isShown: Bool {
      let stages = (try? outcome.result.get()) ?? []
      return outcome.verdict != .holds || !rows.isEmpty || stages.contains { !$0.outcome.sentences(limit: 1).isEmpty }
    }
  }

  /// Identifies a page and its images.
  public static let generator = "camrec golden check"
  private static let generatorLine = "<meta name=\"generator\" content=\"\(generator)\">"
  /// Identifies a page; older ones have only their style.
  public static let mark = AtomicFile.Mark(
    name: "page", text: generatorLine, older: ["<style>body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;"])

  public let text: String

  /// - Parameters:
  ///   - suite: its name.
  ///   - facts: lines below the heading: when, by what.
  ///   - total: number of cases in the run; `nil`: as many as there are.
  public init(suite: String, facts: [String], sections: [Section], of total: Int? = nil) {
    let left = max(0, (total ?? sections.count) - sections.count)
    func count(_ verdict: CaseOutcome.Verdict) -> Int { sections.count { $0.outcome.verdict == verdict } }
    let isWell = !sections.isEmpty && left == 0 && count(.holds) == sections.count
    let verdict = isWell ? "holds" : count(.differs) > 0 || count(.error) + left == 0 ? "differs" : "error"
    let words = [
      verdict == "error" ? nil : verdict, count(.error) > 0 ? "\(count(.error)) could not be run" : nil,
      left > 0 ? "\(left) \(left == 1 ? "was" : "were") not begun" : nil,
    ]
    var lines = [
      "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
      ReportPage.generatorLine,
      "<meta name=\"viewport\" content=\"width=device-width\">",
      "<title>\(ReportPage.escaped(suite)): \(words.compactMap { $0 }.joined(separator: ", "))</title>",
      "<style>\(ReportPage.style)</style>", "</head>", "<body>",
      "<h1 class=\"\(verdict)\">\(ReportPage.escaped(suite))</h1>",
      "<p>\(facts.map(ReportPage.escaped).joined(separator: "<br>"))</p>",
      "<p class=\"counts\"><b>\(sections.count)</b> case\(sections.count == 1 ? "" : "s"):"
        + " <b class=\"holds\">\(count(.holds))</b> hold\(count(.holds) == 1 ? "s" : ""),"
        + " <b class=\"differs\">\(count(.differs))</b> differ\(count(.differs) == 1 ? "s" : ""),"
        + " <b class=\"error\">\(count(.error))</b> could not be run"
        + (left > 0 ? ", <b class=\"error\">\(left)</b> \(left == 1 ? "was" : "were") not begun" : "") + "</p>",
      "<table><thead><tr><th>case</th><th>verdict</th><th>stages</th><th>seconds</th></tr></thead><tbody>",
    ]
    // Problems first.
    let order: [CaseOutcome.Verdict] = [.error, .differs, .holds]
    let sorted = order.flatMap { verdict in sections.filter { $0.outcome.verdict == verdict } }
    lines += sorted.map(ReportPage.row)
    lines.append("</tbody></table>")
    for section in sorted where section.isShown { lines += ReportPage.lines(section) }
    text = (lines + ["</body>", "</html>", ""]).joined(separator: "\n")
  }

  private static func row(_ section: Section) -> String {
    let outcome = section.outcome
    let stages = (try? outcome.result.get()) ?? []
    let cells = stages.map { stage in
      "<span class=\"\(stage.outcome.isWell ? "holds" : "differs")\">\(escaped(stage.stage.rawValue))</span>"
    }
    let seconds = String(format: "%.2f", outcome.seconds)
    let name = escaped(outcome.name)
    let linked = section.isShown ? "<a href=\"#\(anchor(outcome.name))\">\(name)</a>" : name
    return "<tr><td>\(linked)</td>"
      + "<td class=\"\(outcome.verdict.rawValue)\">\(outcome.verdict.rawValue)</td>"
      + "<td>\(cells.joined(separator: " "))</td><td class=\"number\">\(seconds)</td></tr>"
  }

  private static func lines(_ section: Section) -> [String] {
    let outcome = section.outcome
    var lines = [
      "<section id=\"\(anchor(outcome.name))\">",
      "<h2 class=\"\(outcome.verdict.rawValue)\">\(escaped(outcome.name))</h2>",
    ]
    switch outcome.result {
    case .failure(let error): lines.append("<p class=\"error\">\(escaped(error.description))</p>")
    case .success(let stages):
      let sentences = stages.flatMap { stage in
        stage.outcome.sentences(limit: 40).map { "<li><b>\(stage.stage.rawValue)</b> \(escaped($0))</li>" }
      }
      if !sentences.isEmpty { lines += ["<ul>"] + sentences + ["</ul>"] }
    }
    for row in section.rows {
      lines.append("<h3>\(escaped(row.heading))</h3><div class=\"row\">")
      for image in row.images {
        let source = "data:image/png;base64,\(image.png.base64EncodedString())"
        let picture = "<img src=\"\(source)\" alt=\"\(escaped(image.caption))\">"
        let linked = image.link.map { "<a href=\"\(escaped($0))\">\(picture)</a>" } ?? picture
        lines.append("<figure>\(linked)<figcaption>\(escaped(image.caption))</figcaption></figure>")
      }
      lines.append("</div>")
    }
    return lines + ["</section>"]
  }

  private static func anchor(_ name: String) -> String {
    name.unicodeScalars.map { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_": String(scalar)
      default: "." + String(scalar.value, radix: 16)
      }
    }.joined()
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
      "\"", with: "&quot;")
  }

  private static let style = """
    body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:76rem;\
    padding:0 1rem;background:#16171a;color:#e6e7ea}
    body{overflow-wrap:break-word}a{color:inherit}h1,h2{margin:.2em 0}
    h2{margin-top:1.6em;border-top:1px solid #33353b;padding-top:.6em}
    h3{font-size:1em;margin:1em 0 .3em;color:#a8abb3}.holds{color:#6fd08c}.differs{color:#ff8a70}.error{color:#ffb347}
    table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.2rem .6rem;border-bottom:1px solid #2a2c31}
    .number{text-align:right;font-variant-numeric:tabular-nums}.row{display:flex;flex-wrap:wrap;gap:.6rem}
    figure{margin:0}figcaption{font-size:.8em;color:#a8abb3}img{display:block;max-width:100%;image-rendering:auto}
    """
}
