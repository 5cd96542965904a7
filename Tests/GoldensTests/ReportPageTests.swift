import Foundation
import Frames
import Goldens
import Testing

@Suite struct ReportPageTests {
  private static let png = Data([0x89, 0x50, 0x4E, 0x47, 0, 255, 0x3E])
  private static let extent = StageExtent(3, .frames)

  private func section(_ name: String, _ stages: [CaseOutcome.Stage], rows: [ReportPage.Row] = []) -> ReportPage.Section
  { ReportPage.Section(CaseOutcome(name: name, seconds: 0.5, result: .success(stages)), rows: rows) }

  private func broken(_ name: String, _ error: CamrecError) -> ReportPage.Section {
    ReportPage.Section(CaseOutcome(name: name, seconds: 0, result: .failure(error)), rows: [])
  }

  private func row(_ heading: String, caption: String = "golden", link: String? = nil) -> ReportPage.Row {
    ReportPage.Row(heading: heading, images: [ReportPage.Image(caption: caption, png: ReportPageTests.png, link: link)])
  }

  /// One of each kind, those that are well first.
  private var sections: [ReportPage.Section] {
    [
      section("well", [.init(.read, .holds(ReportPageTests.extent))]),
      section("shown", [.init(.decoded, .holds(ReportPageTests.extent))], rows: [row("decoded: over time")]),
      section(
        "other",
        [.init(.read, .holds(ReportPageTests.extent)), .init(.baked, .differs(["frame 1 (0.042 s) is missing"]))]),
      section("none", [.init(.baked, .unknown)]), broken("gone", CamrecError(.input, "there is no clip 'gone.mkv'")),
    ]
  }

  private func page(_ sections: [ReportPage.Section], suite: String = "suite", facts: [String] = []) -> String {
    ReportPage(suite: suite, facts: facts, sections: sections).text
  }

  private func found(_ regex: Regex<(Substring, Substring)>, in text: String) -> [String] {
    text.matches(of: regex).map { String($0.output.1) }
  }

  @Test func `it counts, and what is not well comes first`() {
    let text = page(sections, facts: ["today", "camrec"])
    #expect(text.hasPrefix("<!DOCTYPE html>\n") && text.hasSuffix("</body>\n</html>\n"))
    #expect(
      text.contains(
        "<b>5</b> cases: <b class=\"holds\">2</b> hold, <b class=\"differs\">2</b> differ,"
          + " <b class=\"error\">1</b> could not be run"))
    #expect(text.contains("<p>today<br>camrec</p>"))
    #expect(
      found(#/<tr><td>(?:<a [^>]*>)?([^<]*)</#, in: text) == ["gone", "other", "none", "well", "shown"], "in the table")
    #expect(found(#/<h2 [^>]*>([^<]*)</h2>/#, in: text) == ["gone", "other", "none", "shown"], "below it")
    #expect(
      text.contains("<td class=\"differs\">differs</td><td><span class=\"holds\">read</span> <span class=\"differs\">"))
    #expect(text.contains("<li><b>baked</b> frame 1 (0.042 s) is missing</li>"))
    #expect(text.contains("<li><b>baked</b> there is no golden; 'camrec golden record' makes one</li>"))
    #expect(text.contains("<p class=\"error\">there is no clip 'gone.mkv'</p>"))
  }

  @Test func `the title says whether all is well`() {
    #expect(page(sections).contains("<title>suite: differs, 1 could not be run</title>"))
    #expect(page(Array(sections[1..<4])).contains("<title>suite: differs</title>"))
    let well = page(Array(sections.prefix(2)))
    #expect(well.contains("<title>suite: holds</title>") && well.contains("<h1 class=\"holds\">suite</h1>"))
    let stopped = page([sections[0], sections[4]])
    #expect(stopped.contains("<title>suite: 1 could not be run</title>"))
    #expect(stopped.contains("<h1 class=\"error\">suite</h1>"))
    let cut = ReportPage(suite: "suite", facts: [], sections: [sections[0]], of: 3).text
    #expect(cut.contains("<title>suite: 2 were not begun</title>"))
    // Nothing that was run is nothing that holds.
    #expect(page([]).contains("<title>suite: differs</title>"))
  }

  @Test func `every link within the page has its place`() {
    let text = page(sections + [section("a b/ä", [.init(.read, .unknown)])])
    let ids = found(#/id="([^"]*)"/#, in: text)
    #expect(ids.count == 5 && Set(ids).count == 5)
    #expect(found(#/href="#([^"]*)"/#, in: text) == ids)
    #expect(ids.allSatisfy { $0.wholeMatch(of: #/[A-Za-z0-9_.-]+/#) != nil }, "\(ids)")
    // There is nothing to see of it.
    #expect(text.contains("<tr><td>well</td>"))
  }

  @Test func `what has a meaning in HTML is written as what it is`() {
    let odd = "a<b> & \"c\""
    let escaped = "a&lt;b&gt; &amp; &quot;c&quot;"
    let text = page(
      [
        section(
          odd, [.init(.baked, .differs(["sentence \(odd)"]))],
          rows: [row("heading \(odd)", caption: "caption \(odd)", link: "link \(odd)")]),
        broken("gone", CamrecError(.input, "error \(odd)")),
      ], suite: "suite \(odd)", facts: ["fact \(odd)"])
    #expect(!text.contains("<b> &") && !text.contains("\"c\""))
    for place in [
      "<title>suite \(escaped): differs, 1 could not be run</title>", "<h1 class=\"differs\">suite \(escaped)</h1>",
      "<p>fact \(escaped)</p>", "\">\(escaped)</a></td>", "<h2 class=\"differs\">\(escaped)</h2>",
      "</b> sentence \(escaped)</li>", "<h3>heading \(escaped)</h3>", "alt=\"caption \(escaped)\"",
      "<figcaption>caption \(escaped)</figcaption>", "<a href=\"link \(escaped)\">",
      "<p class=\"error\">error \(escaped)</p>",
    ] { #expect(text.contains(place), "\(place)") }
  }

  @Test func `pictures are in the page, and lead to those in full`() {
    let text = page([
      section(
        "other", [.init(.baked, .differs(["all 3 frames differ"]))],
        rows: [row("frame 0", caption: "golden", link: "golden.png"), row("over time", caption: "curves")])
    ])
    let source = "src=\"data:image/png;base64,\(ReportPageTests.png.base64EncodedString())\""
    #expect(
      text.contains(
        "<figure><a href=\"golden.png\"><img \(source) alt=\"golden\"></a><figcaption>golden</figcaption></figure>"))
    #expect(text.contains("<figure><img \(source) alt=\"curves\"><figcaption>curves</figcaption></figure>"))
  }

  @Test func `it needs nothing but itself`() {
    let text = page(sections).lowercased()
    for word in ["http", "//", "<script", "<link", "url(", "@import", "<iframe"] {
      #expect(!text.contains(word), "\(word)")
    }
  }

  @Test func `very many differences are counted`() {
    let sentences = (0..<100).map { "frame \($0) differs" }
    let text = page([section("other", [.init(.baked, .differs(sentences))])])
    #expect(text.contains("frame 39 differs</li>") && !text.contains("frame 40 differs"))
    #expect(text.contains("<li><b>baked</b> and 60 more differences</li>"))
  }
}
