import Foundation
import TestKit
import Testing

/// Suites and lists of clips on a Slurm cluster of two nodes, of real slurmctld, slurmd and munged
/// (`Tests/Cluster/slurm`).
@Suite(.serialized) struct SlurmTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder
  private let cluster: Cluster

  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
    cluster = try Cluster()
  }

  /// Lives as long as the value.
  private final class Cluster {
    let folder: TemporaryFolder
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Cluster/slurm").path

    init() throws {
      folder = try TemporaryFolder()
      try run("start")
    }

    deinit { try? run("stop") }

    var environment: [String: String] { ["SLURM_CONF": folder.path("slurm.conf")] }

    func run(_ action: String, _ node: Int? = nil) throws {
      try Tool.run([Cluster.script, action, folder.url.path] + (node.map { ["\($0)"] } ?? []))
    }

    func say(_ words: String...) throws -> String {
      let line = ["env", "SLURM_CONF=\(folder.path("slurm.conf"))"] + words
      return String(decoding: try Tool.run(line, acceptsFailure: true), as: UTF8.self)
    }

    /// What the controller has written down.
    var log: String { get throws { try String(contentsOfFile: folder.path("slurmctld.log"), encoding: .utf8) } }
  }

  private func clip(_ name: String, frames: Int, size: String = "66x50") throws {
    let outcome = try camrec.run(
      [
        "--camera", "sim:pace=pulled", "--size", size, "--fps", "24", "--frames", "\(frames)", "--codec", "ffv1",
        "--microphone", "none", "--no-sidecar", "--output", name.replacing("%", with: "%%"),
      ], in: folder.url)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
  }

  /// A suite of so many cases of a clip; its goldens are made.
  private func suite(_ name: String, clip: String, cases: Int, more: String = "") throws {
    let digest = String(decoding: try Tool.run(["sha256sum", folder.path(clip)]), as: UTF8.self).prefix(64)
    var text = "defaults:\n  codec: ffv1\ncases:\n"
    for number in 0..<cases { text += "  case-\(number):\n    clip: \(clip)\n    sha256: \(digest)\n" }
    _ = try folder.write(text.utf8, to: name)
    #expect(try camrec.run(["golden", "record", name], in: folder.url, timeout: 300).exitCode == 0)
    _ = try folder.write((text + more).utf8, to: name)
  }

  private func check(_ arguments: String...) throws -> (status: Int32, said: String, error: String) {
    let outcome = try camrec.run(
      ["golden", "check"] + arguments, in: folder.url, environment: cluster.environment, timeout: 300)
    return (outcome.exitCode, outcome.standardOutput, outcome.standardError)
  }

  /// Starts to check a suite by so many tasks.
  private func start(tasks: Int, _ arguments: String...) throws -> RunningCamrec {
    try camrec.start(
      ["golden", "check", "--engine", "slurm", "--tasks", "\(tasks)", "--results", "results"] + arguments + [
        "suite.yaml"
      ], in: folder.url, environment: cluster.environment)
  }

  /// A report without what is another for every run.
  private func report(_ name: String) throws -> NSDictionary {
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.url.appendingPathComponent(name)))
    var report = try #require(object as? [String: Any])
    report["cases"] = try #require(report["cases"] as? [[String: Any]]).map { $0.filter { $0.key != "seconds" } }
    return report as NSDictionary
  }

  private func waitFor(
    _ what: @autoclosure () throws -> String, seconds: Double = 120, _ isSo: () throws -> Bool
  ) throws {
    let end = Date(timeIntervalSinceNow: seconds)
    while try !isSo() {
      let isLate = Date() >= end
      let words = isLate ? try what() : ""
      try #require(!isLate, "waited for \(words)")
      Thread.sleep(forTimeInterval: 0.05)
    }
  }

  private func results(_ folder: String) -> Int {
    let names = try? FileManager.default.contentsOfDirectory(atPath: self.folder.path(folder))
    return names?.count { $0.hasSuffix(".result.json") } ?? 0
  }

  // MARK: Suites

  /// One case differs, one cannot be run, and one has no golden.
  @Test func aClusterReportsWhatTheMachineDoes() throws {
    try clip("clip.mkv", frames: 8)
    try clip("other.mkv", frames: 8, size: "68x50")
    let digest = String(decoding: try Tool.run(["sha256sum", folder.path("other.mkv")]), as: UTF8.self).prefix(64)
    let own = String(decoding: try Tool.run(["sha256sum", folder.path("clip.mkv")]), as: UTF8.self).prefix(64)
    try suite(
      "suite.yaml", clip: "clip.mkv", cases: 9,
      more: """
          gone:
            clip: gone.mkv
            sha256: \(digest)
          new:
            clip: other.mkv
            sha256: \(digest)
          turned:
            clip: clip.mkv
            sha256: \(own)
            lut: look.cube

        """)
    _ = try folder.write(
      "LUT_3D_SIZE 2\n0 0 0\n.9 0 0\n0 .8 0\n1 1 .2\n0 0 1\n1 .3 1\n0 1 .5\n1 1 1\n".utf8, to: "look.cube")
    for stage in ["read", "baked"] {
      try FileManager.default.copyItem(
        atPath: folder.path("suite.goldens/case-0.\(stage).framemd5"),
        toPath: folder.path("suite.goldens/turned.\(stage).framemd5"))
    }
    let local = try check("--json", "local.json", "--junit", "local.xml", "suite.yaml")
    let shared = try check(
      "--engine", "slurm", "--tasks", "5", "--json", "shared.json", "--html", "page", "--results", "results",
      "suite.yaml")
    #expect(local.status == 65 && shared.status == 65, "\(shared.error)")
    #expect(try report("shared.json") == report("local.json"))
    #expect(
      Set(shared.said.split(separator: "\n").filter { $0.hasPrefix("  ") }).isSuperset(
        of: local.said.split(separator: "\n").filter { $0.hasPrefix("    ") }))
    #expect(shared.said.contains("12 cases: 9 hold, 2 differ, 1 could not be run\n"), "\(shared.said)")
    let page = try String(contentsOfFile: folder.path("page/index.html"), encoding: .utf8)
    #expect(page.contains("<img src=\"data:image/png;base64,"), "pictures of what differs come from the nodes")
    #expect(FileManager.default.fileExists(atPath: folder.path("page/turned-baked-0ms-got.png")))
    // What is there holds for its inputs: with other goldens the cases are run again.
    #expect(results("results") == 12)
    try Data("#format: frame checksums\n".utf8).write(
      to: folder.url.appendingPathComponent("suite.goldens/case-3.baked.framemd5"))
    let again = try check("--engine", "slurm", "--results", "results", "suite.yaml")
    #expect(again.said.contains("12 cases: 8 hold, 2 differ, 2 could not be run\n"), "\(again.said)")
  }

  /// The power of a node goes while its tasks run: they are queued again, and the outcome is the same.
  @Test func aNodeGoesDown() throws {
    // Long tasks, one for each processor: those of the node are in their midst when its power goes.
    try clip("long.mkv", frames: 300, size: "320x180")
    try suite("suite.yaml", clip: "long.mkv", cases: 24)
    let running = try start(tasks: 4, "--json", "shared.json")
    try waitFor("the first outcomes") { results("results") >= 2 }
    try waitFor("a task on the first node") {
      try cluster.say("squeue", "-h", "-r", "-t", "running", "-w", "n1", "-o", "%K").contains { $0.isNumber }
    }
    try cluster.run("kill", 1)
    #expect(results("results") < 20, "it is in mid-run")
    try waitFor("the node to be down: \(try cluster.log.suffix(2000))") {
      try cluster.say("sinfo", "-h", "-N", "-n", "n1", "-o", "%t").contains("down")
    }
    try cluster.run("boot", 1)
    let outcome = running.wait(timeout: 300)
    #expect(outcome.exitCode == 0, "\(outcome.standardOutput) \(outcome.standardError)")
    #expect(outcome.standardOutput.contains("24 cases: 24 hold, 0 differ, 0 could not be run\n"))
    #expect(try cluster.log.range(of: "[Rr]equeu", options: .regularExpression) != nil, "tasks were queued again")
    let local = try check("--json", "local.json", "suite.yaml")
    #expect(local.status == 0)
    #expect(try report("shared.json") == report("local.json"))
  }

  /// Whoever runs the cluster queues tasks again that are running.
  @Test func tasksAreDisplaced() throws {
    try clip("long.mkv", frames: 150, size: "320x180")
    try suite("suite.yaml", clip: "long.mkv", cases: 16)
    let running = try start(tasks: 8)
    var displaced = ""
    try waitFor("a task that runs") {
      displaced =
        try cluster.say("squeue", "-h", "-r", "-t", "running", "-o", "%A").split(separator: "\n").first.map(String.init)
        ?? ""
      return !displaced.isEmpty
    }
    _ = try cluster.say("scontrol", "requeue", displaced)
    let outcome = running.wait(timeout: 300)
    #expect(outcome.exitCode == 0, "\(outcome.standardOutput) \(outcome.standardError)")
    #expect(outcome.standardOutput.contains("16 cases: 16 hold, 0 differ, 0 could not be run\n"))
    #expect(!outcome.standardError.contains("to continue from them"), "nothing is left to do")
  }

  /// Ctrl-C empties the queue; what was done is gone on with.
  @Test func itIsStoppedAndGoesOn() throws {
    try clip("long.mkv", frames: 150, size: "320x180")
    try suite("suite.yaml", clip: "long.mkv", cases: 24)
    let running = try start(tasks: 24)
    try waitFor("the first outcomes") { results("results") >= 2 }
    running.send(signal: SIGINT)
    let outcome = running.wait(timeout: 120)
    #expect(outcome.exitCode == 130, "\(outcome.standardOutput)")
    #expect(outcome.standardError.contains("; to continue from them, add --results "), "\(outcome.standardError)")
    try waitFor("an empty queue") { try !cluster.say("squeue", "-h").contains { $0.isNumber } }
    let done = results("results")
    #expect(done >= 2 && done < 24)
    let rest = try check("--results", "results", "suite.yaml")
    #expect(rest.status == 0 && rest.said.contains("24 cases: 24 hold"), "\(rest.said)")
    #expect(results("results") == 24)
  }

  // MARK: Lists of clips

  @Test func clipsAreBakedAsOneByOne() throws {
    for number in 0..<6 { try clip("clip \(number)%d.mkv", frames: 100 + number, size: "480x270") }
    let names = (0..<6).map { "clip \($0)%d" }
    _ = try folder.write(("# rushes\n\n" + names.map { "\($0).mkv\n" }.joined()).utf8, to: "list.txt")
    try FileManager.default.createDirectory(atPath: folder.path("graded"), withIntermediateDirectories: true)
    let running = try camrec.start(
      [
        "bake", "--list", "list.txt", "--output", "graded/{clip}.mov", "--engine", "slurm", "--tasks", "6", "--results",
        "results", "--codec", "prores",
      ], in: folder.url, environment: cluster.environment)
    try waitFor("a task on the second node") {
      try cluster.say("squeue", "-h", "-r", "-t", "running", "-w", "n2", "-o", "%K").contains { $0.isNumber }
    }
    try cluster.run("kill", 2)
    let outcome = running.wait(timeout: 300)
    #expect(outcome.exitCode == 0, "\(outcome.standardOutput) \(outcome.standardError)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("graded")).sorted() == names.map { $0 + ".mov" })
    for name in names {
      let one = try camrec.run(
        ["bake", "\(name).mkv", "--codec", "prores", "--overwrite", "--output", "one.mov"], in: folder.url)
      #expect(one.exitCode == 0, "\(one.standardError)")
      func hashes(_ film: String) throws -> Data {
        try Tool.run(["ffmpeg", "-v", "error", "-i", folder.path(film), "-map", "0:v", "-f", "framemd5", "-"])
      }
      #expect(try hashes("graded/\(name).mov") == hashes("one.mov"))
    }
  }

  // MARK: What cannot be done

  @Test func whatIsMissingIsSaid() throws {
    try clip("clip.mkv", frames: 8)
    try suite("suite.yaml", clip: "clip.mkv", cases: 2)
    let none = try camrec.run(
      ["golden", "check", "--engine", "slurm", "suite.yaml"], in: folder.url, environment: ["PATH": folder.url.path])
    #expect(none.exitCode == 64)
    #expect(none.standardError.contains("there is no 'scontrol' on this machine; --engine slurm needs Slurm's client"))
    // A job that no node can run is not waited for.
    let never = try camrec.run(
      ["golden", "check", "--engine", "slurm", "--jobs", "64", "suite.yaml"], in: folder.url,
      environment: cluster.environment)
    #expect(never.exitCode == 69, "\(never.standardError)")
    #expect(
      never.standardOutput.contains(
        "error    case-0  the cluster does not start this item's task (PartitionConfig)"), "\(never.standardOutput)"
    )
    let part = try check("--shard", "2/3", "suite.yaml")
    #expect(
      part.status == 64 && part.error.contains("part 2/3 of 'suite.yaml' is empty; use fewer parts"), "\(part.error)")
    let both = try check("--engine", "slurm", "--shard", "0/2", "suite.yaml")
    #expect(both.status == 64 && both.error.contains("--shard and --engine slurm exclude each other"))
    let tasks = try check("--tasks", "3", "suite.yaml")
    #expect(tasks.status == 64 && tasks.error.contains("--tasks is for --engine slurm"))
  }

  /// The node has another camrec, which cannot be run: three times, and it is said where it is said why.
  @Test func tasksComeToNothing() throws {
    try clip("clip.mkv", frames: 8)
    try suite("suite.yaml", clip: "clip.mkv", cases: 2)
    let copy = folder.path("camrec-copy")
    try FileManager.default.copyItem(atPath: camrec.url.path, toPath: copy)
    let running = try CamrecBinary(url: URL(fileURLWithPath: copy)).start(
      ["golden", "check", "--engine", "slurm", "--results", "results", "suite.yaml"], in: folder.url,
      environment: cluster.environment)
    running.awaitSignalHandlers()
    try FileManager.default.removeItem(atPath: copy)
    let outcome = running.wait(timeout: 200)
    #expect(outcome.exitCode == 70, "\(outcome.standardError)")
    #expect(
      outcome.standardOutput.contains("was submitted 3 times without a result; see its log '"),
      "\(outcome.standardOutput)")
  }
}
