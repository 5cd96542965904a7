import Foundation
import TestKit
import Testing

/// `camrec golden check --html`, the films that cases keep for it, and the page as a browser shows it.
@Suite(.serialized) struct GoldenPageTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  private static let look = "LUT_3D_SIZE 2\n0 0 0\n0.9 0.1 0\n0 1 0\n1 0.9 0.2\n0.1 0 1\n1 0 1\n0 1 0.9\n0.5 0.5 0.5\n"
  private static let otherLook = look.replacing("0.5 0.5 0.5", with: "0.9 0.1 0.1")
  /// A word wider than a small window.
  private static let gone = String(repeating: "gone_", count: 16) + ".mkv"

  /// A lossless clip and a film, two seconds each.
  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
    for arguments in [
      ["--size", "66x50", "--codec", "ffv1", "--no-sidecar", "--output", "clip.mkv"],
      ["--size", "96x64", "--output", "take.mov"],
    ] {
      let outcome = try camrec.run(
        ["--camera", "sim:pace=pulled", "--fps", "24", "--frames", "48", "--microphone", "none"] + arguments,
        in: folder.url)
      #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    }
    _ = try folder.write(Self.look.utf8, to: "look.cube")
  }

  /// - Parameter limit: the PSNR in dB that the encoded pictures of `film` have to keep.
  private func suite(limit: Int = 10) throws {
    func digest(_ name: String) throws -> Substring {
      String(decoding: try Tool.run(["sha256sum", folder.path(name)]), as: UTF8.self).prefix(64)
    }
    let clip = "clip: clip.mkv, sha256: \(try digest("clip.mkv")), codec: ffv1"
    _ = try folder.write(
      """
      cases:
        same: {\(clip)}
        kept: {\(clip), lut: look.cube, keep: true}
        bare: {\(clip), lut: look.cube}
        gone: {\(clip.replacing("clip.mkv", with: Self.gone))}
        film: {clip: take.mov, sha256: \(try digest("take.mov")), stages: [decoded], psnr: \(limit), keep: true}

      """.utf8, to: "suite.yaml")
  }

  private func golden(_ arguments: String...) throws -> (status: Int32, said: String) {
    let outcome = try camrec.run(["golden"] + arguments, in: folder.url)
    return (outcome.exitCode, outcome.standardOutput + outcome.standardError)
  }

  /// Records the goldens, and checks them with another look and a limit that no encoder keeps.
  private func check() throws -> (status: Int32, said: String) {
    try suite()
    let recorded = try golden("record", "suite.yaml")
    #expect(recorded.said.hasSuffix("5 cases: 4 hold, 0 differ, 1 could not be run\n"), "\(recorded.said)")
    _ = try folder.write(Self.otherLook.utf8, to: "look.cube")
    try suite(limit: 90)
    return try golden("check", "--html", "page", "--json", "out.json", "suite.yaml")
  }

  private func names(_ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(name)).sorted()
  }

  /// What is another for a file that was written anew.
  private func identity(_ name: String) throws -> String {
    let facts = try FileManager.default.attributesOfItem(atPath: folder.path(name))
    let node = try #require(facts[.systemFileNumber] as? Int)
    let date = try #require(facts[.modificationDate] as? Date)
    return "\(node) \(date.timeIntervalSince1970) \(facts[.size] ?? "")"
  }

  private func hashes(_ text: String) -> [Substring] {
    text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.suffix(32) }
  }

  /// What FFmpeg decodes of the film that a case kept, and its golden.
  private func kept(_ name: String) throws -> (film: [Substring], golden: [Substring]) {
    let decoded = try Tool.run([
      "ffmpeg", "-v", "error", "-i", folder.path("suite.goldens/\(name).baked.mkv"), "-map", "0:v", "-fps_mode",
      "passthrough", "-f", "framemd5", "-",
    ])
    let path = folder.path("suite.goldens/\(name).baked.framemd5")
    return (hashes(String(decoding: decoded, as: UTF8.self)), hashes(try String(contentsOfFile: path, encoding: .utf8)))
  }

  /// Red, green and blue of each pixel, as FFmpeg reads them.
  private func pixels(_ name: String) throws -> Data {
    try Tool.run(["ffmpeg", "-v", "error", "-i", folder.path(name), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
  }

  // MARK: Whose files are replaced

  /// It is refused before anything is baked.
  @Test func anotherPageStays() throws {
    try suite()
    _ = try golden("record", "suite.yaml", "same")
    try FileManager.default.createDirectory(atPath: folder.path("page"), withIntermediateDirectories: false)
    let text = "<!DOCTYPE html>\n<title>My site</title>\n"
    _ = try folder.write(text.utf8, to: "page/index.html")
    let found = try golden("check", "--html", "page", "--json", "out.json", "suite.yaml", "same")
    #expect(
      found.status == 74
        && found.said.contains(
          "'page/index.html' is not a page written by camrec, and is not overwritten; choose another name"),
      "\(found.said)")
    #expect(try String(contentsOfFile: folder.path("page/index.html"), encoding: .utf8) == text)
    #expect(try names("page") == ["index.html"] && !FileManager.default.fileExists(atPath: folder.path("out.json")))
  }

  @Test func aPageOfCamrecsIsReplaced_alsoOneOfAnOlderVersion() throws {
    #expect(try check().status == 65)
    let page = try String(contentsOfFile: folder.path("page/index.html"), encoding: .utf8)
    let line = #"<meta name="generator" content="camrec golden check">"#
    #expect(page.contains(line))
    // Older ones do not say who made them, nor do their pictures.
    _ = try folder.write(page.replacing(line + "\n", with: "").utf8, to: "page/index.html")
    let pictures = try names("page").filter { $0.hasSuffix(".png") }
    let picture = try #require(pictures.first)
    let sawn = try Data(contentsOf: folder.url.appendingPathComponent("page/\(picture)"))
    #expect(sawn.firstRange(of: Data("tEXtSoftware\0camrec golden check".utf8)) != nil)
    // Every reader checks the chunk's code.
    #expect(try !pixels("page/\(picture)").isEmpty)
    let said = try Tool.run(["ffmpeg", "-v", "warning", "-i", folder.path("page/\(picture)"), "-f", "null", "-"])
    #expect(String(decoding: said, as: UTF8.self).isEmpty)
    let unmarked = sawn.replacing(Data("camrec golden check".utf8), with: Data("someone golden seen".utf8))
    _ = try folder.write(unmarked, to: "page/\(picture)")
    let again = try golden("check", "--html", "page", "--json", "out.json", "suite.yaml")
    #expect(again.status == 65 && again.said.contains("5 cases"), "\(again.said)")
    #expect(try String(contentsOfFile: folder.path("page/index.html"), encoding: .utf8).contains(line))
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("page/\(picture)")) == sawn)
  }

  /// Where no page of camrec's is, a picture of somebody's that has the name stays.
  @Test func anotherPictureStays() throws {
    #expect(try check().status == 65)
    let picture = try #require(try names("page").first { $0.hasSuffix(".png") })
    try FileManager.default.removeItem(atPath: folder.path("page/index.html"))
    let bytes = try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=s=16x16", "-frames:v", "1", "-f", "image2pipe",
      "-c:v", "png",
      "-",
    ])
    _ = try folder.write(bytes, to: "page/\(picture)")
    let found = try golden("check", "--html", "page", "suite.yaml")
    #expect(
      found.said.contains("'page/\(picture)' is not a picture written by camrec, and is not overwritten"),
      "\(found.said)")
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("page/\(picture)")) == bytes)
  }

  // MARK: Films that are kept

  @Test func whatIsKeptIsWhatWasBaked() throws {
    try suite()
    #expect(try golden("record", "suite.yaml").status == 65)
    #expect(try names("suite.goldens").filter { $0.hasSuffix(".mkv") } == ["film.baked.mkv", "kept.baked.mkv"])
    #expect(!(try names("suite.goldens").contains { $0.contains("part") || $0.hasPrefix(".") }))
    // Also of a case whose encoder is another, and whose pictures have ten bits.
    for name in ["kept", "film"] {
      let kept = try kept(name)
      #expect(kept.film.count == 48 && kept.film == kept.golden, "\(name)")
    }
    // What is there stays.
    let before = try identity("suite.goldens/kept.baked.mkv")
    let again = try golden("record", "suite.yaml", "kept")
    #expect(again.status == 0 && again.said.contains("baked is there (48 frames)"), "\(again.said)")
    #expect(try identity("suite.goldens/kept.baked.mkv") == before)
    // What is missing is made, and only that.
    try FileManager.default.removeItem(atPath: folder.path("suite.goldens/kept.baked.mkv"))
    let golden = try identity("suite.goldens/kept.baked.framemd5")
    let made = try self.golden("record", "suite.yaml", "kept")
    #expect(made.status == 0, "\(made.said)")
    let kept = try kept("kept")
    #expect(kept.film.count == 48 && kept.film == kept.golden)
    #expect(try identity("suite.goldens/kept.baked.framemd5") == golden)
  }

  @Test func whatIsKeptGoesWithItsGolden() throws {
    try suite()
    #expect(try golden("record", "suite.yaml", "kept").status == 0)
    let former = try kept("kept").golden
    _ = try folder.write(Self.otherLook.utf8, to: "look.cube")
    // What is not as in the golden is not kept in its place.
    try FileManager.default.removeItem(atPath: folder.path("suite.goldens/kept.baked.mkv"))
    let refused = try golden("record", "suite.yaml", "kept")
    #expect(refused.status == 5, "\(refused.said)")
    #expect(try !names("suite.goldens").contains("kept.baked.mkv"))
    let updated = try golden("update", "--changed-only", "suite.yaml", "kept")
    #expect(updated.status == 0 && updated.said.contains("baked 48 frames (changed)"), "\(updated.said)")
    let changed = try kept("kept")
    #expect(changed.film == changed.golden && changed.golden != former)
    // One that is there is replaced, too.
    _ = try folder.write(Self.look.utf8, to: "look.cube")
    #expect(try golden("update", "--changed-only", "suite.yaml", "kept").status == 0)
    let back = try kept("kept")
    #expect(back.film == back.golden && back.golden == former)
  }

  // MARK: The page's files

  private struct Report: Decodable {
    struct Case: Decodable {
      let name: String
      let verdict: String
      let stages: [Stage]
    }
    struct Stage: Decodable {
      let stage: String
      let differences: [String]
    }
    let status: Int32
    let cases: [Case]
  }

  @Test func picturesAreThereOfWhatDiffers() throws {
    let checked = try check()
    #expect(checked.status == 65, "\(checked.said)")
    let report = try JSONDecoder().decode(
      Report.self, from: Data(contentsOf: folder.url.appendingPathComponent("out.json")))
    #expect(report.status == 65)
    #expect(report.cases.map(\.name) == ["same", "kept", "bare", "gone", "film"])
    #expect(report.cases.map(\.verdict) == ["holds", "differs", "differs", "error", "differs"])
    func differences(_ name: String, _ stage: String) -> [String] {
      report.cases.first { $0.name == name }?.stages.first { $0.stage == stage }?.differences ?? []
    }
    let found = [
      "all 48 frames differ",
      "the LUT differs from the one the golden was made with: its point at red 1, green 1, blue 1 differs",
    ]
    #expect(differences("bare", "baked") == found)
    let measured = differences("kept", "baked")
    #expect(measured.count == 3 && Array(measured.prefix(2)) == found)
    #expect(measured.last?.hasPrefix("compared with the kept film: PSNR from ") == true, "\(measured)")
    #expect(differences("film", "decoded").first?.contains("less than 90.0 dB") == true)

    let names = try names("page")
    func count(_ prefix: String, _ suffix: String) -> Int {
      names.count { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }
    }
    for name in ["kept-baked", "film-decoded"] {
      for kind in ["golden", "got", "difference"] { #expect(count(name, "-\(kind).png") == 4, "\(name), \(kind)") }
    }
    // Nothing is there to be measured: one in half a second.
    #expect(
      names.filter { $0.hasPrefix("bare") } == [
        "bare-baked-0ms-got.png", "bare-baked-1000ms-got.png", "bare-baked-1500ms-got.png", "bare-baked-500ms-got.png",
      ])
    #expect(names.count == 2 * 12 + 4 + 1 && names.contains("index.html"), "\(names)")
    for name in names where name.hasSuffix(".png") {
      let picture = try Probe(folder.path("page/\(name)")).video
      let size = name.hasPrefix("film") ? [96, 64] : [66, 50]
      #expect([picture["width"] as? Int, picture["height"] as? Int] == size, "\(name)")
      guard name.hasSuffix("-golden.png") else { continue }
      let golden = try pixels("page/\(name)")
      #expect(try pixels("page/\(name.replacing("-golden", with: "-got"))") != golden, "\(name)")
      let difference = try pixels("page/\(name.replacing("-golden", with: "-difference"))")
      #expect(difference.contains { !(127...128).contains($0) }, "\(name)")
    }
  }

  /// The look of what was got is redder; the golden's pictures have the golden's.
  @Test func picturesAreOfTheirSides() throws {
    _ = try check()
    func red(_ name: String) throws -> Double {
      let bytes = [UInt8](try pixels("page/\(name)"))
      return stride(from: 0, to: bytes.count, by: 3).reduce(0) { $0 + Double(bytes[$1]) - Double(bytes[$1 + 1]) }
        / Double(bytes.count / 3)
    }
    let goldens = try names("page").filter { $0.hasPrefix("kept") && $0.hasSuffix("-golden.png") }
    #expect(goldens.count == 4)
    for name in goldens {
      let got = try red(name.replacing("-golden", with: "-got"))
      #expect(try got > red(name) + 20, "\(name)")
    }
  }

  /// Behind a picture that is missing the film's times are others than its golden's.
  @Test func picturesBehindAGapAreTheirLikes() throws {
    func take(_ arguments: String) throws {
      let words = arguments.split(separator: " ").map { $0.hasSuffix(".mkv") ? folder.path(String($0)) : String($0) }
      try Tool.run(["ffmpeg", "-v", "error", "-y"] + words)
    }
    func suite() throws {
      let digest = String(decoding: try Tool.run(["sha256sum", folder.path("take.mkv")]), as: UTF8.self).prefix(64)
      let text = "cases:\n  take: {clip: take.mkv, sha256: \(digest), stages: [baked], codec: ffv1, keep: true}\n"
      _ = try folder.write(text.utf8, to: "suite.yaml")
    }
    let film = try camrec.run(
      ["--camera", "sim:pace=pulled", "--fps", "24", "--frames", "48", "--microphone", "none", "--size", "320x180",
        "--codec", "ffv1", "--no-sidecar", "--output", "take.mkv"], in: folder.url)
    #expect(film.exitCode == 0, "\(film.standardError)")
    try suite()
    #expect(try golden("record", "suite.yaml").status == 0)
    try take("-i take.mkv -map 0:v -vf select='not(eq(n,5))',setpts=N/24/TB,"
      + "drawbox=y=160:w=40:h=20:c=red:t=fill:enable='gte(n,30)' -c:v ffv1 other.mkv")
    try FileManager.default.removeItem(atPath: folder.path("take.mkv"))
    try FileManager.default.moveItem(atPath: folder.path("other.mkv"), toPath: folder.path("take.mkv"))
    try suite()
    #expect(try golden("check", "--html", "page", "suite.yaml").status == 5)
    let goldens = try names("page").filter { $0.hasSuffix("-golden.png") }
    #expect(goldens.count == 4)
    for name in goldens {
      let (wanted, got) = (try pixels("page/\(name)"), try pixels("page/\(name.replacing("-golden", with: "-got"))"))
      // Chroma reaches a little further than the box.
      let above = 150 * 320 * 3
      #expect(wanted.prefix(above) == got.prefix(above) && wanted != got, "\(name)")
    }
  }

  @Test func aCheckWritesNothingToTheGoldens() throws {
    try suite()
    _ = try golden("record", "suite.yaml")
    _ = try folder.write(Self.otherLook.utf8, to: "look.cube")
    func state() throws -> [String: String] {
      var state: [String: String] = [:]
      for name in try names("suite.goldens") { state[name] = try identity("suite.goldens/\(name)") }
      return state
    }
    try FileManager.default.removeItem(atPath: folder.path("suite.goldens/film.baked.mkv"))
    let before = try state()
    #expect(before.count == 9)
    #expect(try golden("check", "--html", "page", "suite.yaml").status == 65)
    #expect(try state() == before)
  }

  @Test func whatHoldsHasAPageWithoutPictures() throws {
    try suite()
    _ = try golden("record", "suite.yaml", "kept")
    #expect(try golden("check", "--html", "some/page", "suite.yaml", "kept").status == 0)
    #expect(try names("some/page") == ["index.html"])
    let page = try String(contentsOfFile: folder.path("some/page/index.html"), encoding: .utf8)
    #expect(page.contains("<title>suite: holds</title>") && !page.contains("<img"))
    // A page that cannot be written is no pass.
    _ = try folder.write([], to: "file")
    let refused = try golden("check", "--html", "file", "suite.yaml", "kept")
    #expect(refused.status == 74 && refused.said.contains("the folder 'file' cannot be made"), "\(refused.said)")
  }

  /// What holds has no pictures. Another page lacks those of what differs, and a check without a page needs none.
  @Test func aPageRunsOnlyCasesAgainWhosePicturesItLacks() throws {
    try suite()
    #expect(try golden("record", "suite.yaml", "same", "bare").status == 0)
    _ = try folder.write(Self.otherLook.utf8, to: "look.cube")
    /// Which of the cases have run.
    func ran(_ page: [String]) throws -> [String] {
      let cases = ["same", "bare"]
      let before = cases.map { try? identity("results/\($0).result.json") }
      let outcome = try camrec.run(
        ["golden", "check", "--results", "results"] + page + ["suite.yaml"] + cases, in: folder.url)
      #expect(outcome.exitCode == 5, "\(outcome)")
      return try zip(cases, before).filter { try identity("results/\($0).result.json") != $1 }.map(\.0)
    }
    #expect(try ran([]) == ["same", "bare"])
    #expect(try ran([]) == [])
    for page in ["page", "other"] {
      #expect(try ran(["--html", page]) == ["bare"], "\(page)")
      #expect(try names(page).contains("bare-baked-0ms-got.png"), "\(page)")
    }
    #expect(try ran([]) == [])
    try FileManager.default.removeItem(atPath: folder.path("other/index.html"))
    #expect(try ran(["--html", "other"]) == [])
    #expect(try String(contentsOfFile: folder.path("other/index.html"), encoding: .utf8).contains("<img "))
  }

  // MARK: The browser

  /// `scripts/test --strict` demands it; Ubuntu has no package of it.
  private static let hasChromium = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/chromium")
  }

  /// Chromium leaves what it writes for itself in the tests' folder.
  private func chromium(_ page: String, _ arguments: [String]) throws -> Data {
    try Tool.run(
      [
        "timeout", "120", "env", "HOME=\(folder.path("home"))", "chromium", "--headless", "--no-sandbox",
        "--disable-gpu", "--disable-dev-shm-usage", "--force-color-profile=srgb",
        "--user-data-dir=\(folder.path("home/data"))",
      ] + arguments + ["file://\(folder.path("page/\(page)"))"])
  }

  private struct Seen: Decodable {
    struct Image: Decodable {
      let width: Int
      let height: Int
      let isComplete: Bool
      let right: Double
    }
    let images: [Image]
    /// Links to nowhere within the page, and to files.
    let dead: [String]
    let links: [String]
    /// Of all that there is, and of what the window has room for.
    let width: Double
    let room: Double
    let window: Double
  }

  private static let probe = """
    <script>addEventListener("load", () => {
      const root = document.documentElement;
      const links = selector => [...document.querySelectorAll(selector)].map(link => link.getAttribute("href"));
      const seen = {
        images: [...document.images].map(image => ({
          width: image.naturalWidth, height: image.naturalHeight, isComplete: image.complete,
          right: image.getBoundingClientRect().right })),
        dead: links('a[href^="#"]').filter(link => !document.getElementById(link.slice(1))),
        links: links("figure a"), width: root.scrollWidth, room: root.clientWidth, window: innerWidth };
      const words = document.createElement("pre");
      words.id = "probe";
      words.textContent = btoa(JSON.stringify(seen));
      document.body.append(words);
    })</script></body>
    """

  private func seen(_ size: String) throws -> Seen {
    let page = try String(contentsOfFile: folder.path("page/index.html"), encoding: .utf8)
    _ = try folder.write(page.replacing("</body>", with: Self.probe).utf8, to: "page/probe.html")
    defer { try? FileManager.default.removeItem(atPath: folder.path("page/probe.html")) }
    let document = String(
      decoding: try chromium("probe.html", ["--window-size=\(size)", "--virtual-time-budget=5000", "--dump-dom"]),
      as: UTF8.self)
    let start = try #require(document.range(of: "<pre id=\"probe\">", options: .backwards)?.upperBound)
    let words = document[start...].prefix { $0 != "<" }
    return try JSONDecoder().decode(Seen.self, from: #require(Data(base64Encoded: String(words))))
  }

  @Test(.enabled(if: hasChromium)) func aBrowserShowsIt() throws {
    _ = try check()
    let pictures = try names("page").filter { $0.hasSuffix(".png") }
    for (size, window) in [("1280,2000", 1280.0), ("500,900", 500.0)] {
      let seen = try seen(size)
      #expect(seen.window == window)
      // Curves and 4 rows of 3 pictures and 4 scopes, twice, and 4 rows of a picture and its scopes.
      #expect(seen.images.count == 2 * (1 + 4 * 7) + 4 * 3, "\(size)")
      #expect(seen.images.allSatisfy { $0.isComplete && $0.width > 0 && $0.height > 0 }, "\(size)")
      #expect(seen.images.filter { [$0.width, $0.height] == [66, 50] }.count == 4 * 3 + 4, "\(size)")
      #expect(seen.width <= seen.room && seen.images.allSatisfy { $0.right <= seen.room }, "\(size): \(seen.width)")
      #expect(seen.dead.isEmpty, "\(seen.dead)")
      #expect(seen.links.sorted() == pictures)
    }
  }

  @Test(.enabled(if: hasChromium)) func aBrowserPaintsIt() throws {
    _ = try check()
    let (width, height) = (1280, 2600)
    _ = try chromium(
      "index.html",
      ["--window-size=\(width),\(height)", "--hide-scrollbars", "--screenshot=\(folder.path("shot.png"))"])
    let picture = try Probe(folder.path("shot.png")).video
    #expect([picture["width"] as? Int, picture["height"] as? Int] == [width, height])
    let shot = [UInt8](try pixels("shot.png"))
    try #require(shot.count == 3 * width * height)
    // The heading's colour, #ff8a70.
    var count = 0
    for at in stride(from: 0, to: shot.count, by: 3) where shot[at] == 255 {
      if abs(Int(shot[at + 1]) - 138) <= 3, abs(Int(shot[at + 2]) - 112) <= 3 { count += 1 }
    }
    #expect(count > 200)
    // A picture of the golden's, each pixel as it is: the page shows it small, which is as large as the clip.
    let first = try #require(try names("page").first { $0.hasPrefix("kept") && $0.hasSuffix("-golden.png") })
    let golden = [UInt8](try pixels("page/\(first)"))
    #expect(Set(golden).count > 20, "it is a picture")
    #expect(GoldenPageTests.contains(shot, width: width, golden, width: 66), "\(first)")
  }

  /// Whether a picture stands somewhere in another.
  private static func contains(_ whole: [UInt8], width: Int, _ part: [UInt8], width partWidth: Int) -> Bool {
    let row = 3 * partWidth
    let rows = part.count / row
    let last = whole.count - 3 * (width * (rows - 1) + partWidth)
    return stride(from: 0, through: last, by: 3).contains { start in
      guard whole[start] == part[0], start / 3 % width + partWidth <= width else { return false }
      return (0..<rows).allSatisfy { y in
        let at = start + 3 * width * y
        return whole[at..<at + row] == part[y * row..<(y + 1) * row]
      }
    }
  }
}
