import ArgumentParser
import Assembly
import Doctor
import Foundation
import Frames
import Movies
import Reporting
import Rig
import SectionFile

/// `camrec doctor [FILE.yaml]`.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check a machine before it records unattended.",
    usage: "camrec doctor [--json] [--duration TIME] [FILE.yaml]",
    discussion: """
      Run it while the machine does its other work as usual. It checks:

        - whether camrec runs as root; the clock and the temperature
        - the limit on open files, and the memory
        - cameras: permissions, formats, sizes, frame rates
        - USB power saving of cameras, and recorders that use them
        - microphones, buttons and lights
        - the encoder's speed at the size asked for, or else 1920x1080 (measured)
        - the disk's speed with fdatasync (measured)
        - how many hours fit on the disk

      Each check has a verdict and a finding, with figures if it measures, and a remedy unless all is well. With a \
      rig file, doctor checks the file and the rig's cameras, each with the camera, rate, size and pixel format that \
      were set at run time; without one, it checks the first camera, with the defaults of 'camrec record'. It changes \
      no settings and leaves no files behind.

      \(ExitStatusParagraphs.text(of: "camrec doctor") ?? "")
      """)

  @Flag(
    help: ArgumentHelp(
      "Print one JSON object.",
      discussion: "It has verdict and findings (check, camera, verdict, finding, remedy, figures)."))
  var json = false

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How long to measure each encoder. Default: 2s.", valueName: "TIME"),
    transform: TimeSpan.init(parsingDuration:))
  var duration: TimeSpan?

  @Argument(help: ArgumentHelp("A rig file.", valueName: "FILE.yaml"), completion: .file(extensions: ["yaml", "yml"]))
  var path: String?

  private struct Report: Encodable {
    let verdict: DoctorFinding.Verdict
    let findings: [DoctorFinding]
  }

  func run() throws {
    let (patients, ofFile) = try subjects()
    let show: (DoctorFinding) -> Void = { if !json { DoctorCommand.write($0) } }
    ofFile.forEach(show)
    let span = Duration.nanoseconds(duration?.nanoseconds ?? 2_000_000_000)
    let findings: [DoctorFinding] = ofFile + (try DoctorRound(patients: patients, duration: span, say: show).run())
    let verdict = findings.map { $0.verdict }.max() ?? .ok
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      try Console.print(json: encoder.encode(Report(verdict: verdict, findings: findings)))
    }
    switch verdict {
    case .ok: return
    case .warning: throw Camrec.Ending(status: .odd)
    case .failure: throw Camrec.Ending(status: .unfit)
    }
  }

  /// The recordings to check, and the findings on the rig file.
  private func subjects() throws -> ([DoctorRound.Patient], [DoctorFinding]) {
    guard let path else { return ([DoctorRound.Patient(name: nil, settings: ServiceSettings())], []) }
    let plan: RigPlan
    do {
      plan = try RigPlan(readingFile: path, looksAround: true, language: .cameras())
    } catch let error as CamrecError {
      return (
        [],
        [
          DoctorFinding(
            "configuration", .failure, error.description, remedy: "fix this first; no camera of it was checked")
        ]
      )
    }
    let errors = plan.findings.filter { $0.severity == .error }
    let faults = plan.findings.filter { $0.severity == .fault }
    var found = [
      errors.isEmpty
        ? DoctorFinding("configuration", .ok, "\(path) has no errors, and nobody else can write to it")
        : DoctorFinding(
          "configuration", .failure,
          "\(path) has \(errors.count) error\(errors.count == 1 ? "" : "s"): \(errors[0].line(file: path))",
          remedy: "run: camrec rig check \(ShellWord.of(path))")
    ]
    found += faults.map {
      DoctorFinding(
        "surroundings", .failure, $0.line(file: path),
        remedy: "fix this; the rig tries the camera again at least once a minute")
    }
    found += plan.findings.filter { $0.severity == .warning }.map {
      DoctorFinding(
        "surroundings", .warning, $0.line(file: path), remedy: "fix this; the camera records all the same")
    }
    let patients = plan.cameras.map { camera in
      DoctorRound.Patient(
        name: camera.name, settings: camera.settings,
        rotates: camera.entry.setting("on-full")?.values.first?.text == "rotate")
    }
    return (patients, found)
  }

  /// Prints at once, also into a pipe: some checks take seconds.
  private static func write(_ finding: DoctorFinding) {
    let word = finding.verdict.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0)
    var text = "\(word)\(finding.check)\(finding.camera.map { " (\($0))" } ?? ""): \(finding.finding)\n"
    if let remedy = finding.remedy { text += "         → \(remedy)\n" }
    Console.print(text)
  }
}
