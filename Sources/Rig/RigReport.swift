package import Frames
import Movies
import Reporting
package import SectionFile

/// The report of `camrec rig check`.
package struct RigReport: Encodable {
  package struct Camera: Encodable {
    package let name: String
    /// For `camrec record`.
    package let arguments: [String]
  }

  package struct Finding: Encodable {
    package let severity: FileFinding.Severity
    package let line: Int?
    package let column: Int?
    package let key: String?
    package let message: String
  }

  package let file: String
  package let cameras: [Camera]
  package let findings: [Finding]
  /// The exit status.
  package let status: Int32
  /// For people.
  package let lines: [String]

  private enum CodingKeys: String, CodingKey { case file, cameras, findings, status }

  package init(file: String, _ plan: RigPlan) {
    self.file = file
    cameras = plan.cameras.map { Camera(name: $0.name, arguments: $0.arguments) }
    findings = plan.findings.map {
      Finding(severity: $0.severity, line: $0.place?.line, column: $0.place?.column, key: $0.key, message: $0.message)
    }
    status = (plan.hasErrors ? ExitStatus.usage : plan.hasFaults ? .unfit : .success).rawValue
    let names = plan.cameras.map(\.name).joined(separator: ", ")
    let count = "\(plan.cameras.count) camera\(plan.cameras.count == 1 ? "" : "s") (\(names))"
    let judgement =
      plan.hasFaults
      ? "no errors, but a camera cannot record; fix the warnings"
      : "no errors; to look for the cameras, run camrec doctor \(ShellWord.of(file))"
    let summary = "\(file): \(count), \(judgement)"
    lines = plan.findings.map { $0.line(file: file) } + (plan.hasErrors ? [] : [summary])
  }

  /// For a file that cannot be read.
  package init(file: String, _ error: CamrecError) {
    self.file = file
    cameras = []
    findings = [Finding(severity: .error, line: nil, column: nil, key: nil, message: error.description)]
    status = ExitStatus(error).rawValue
    lines = ["\(file): error: \(error.description)"]
  }
}
