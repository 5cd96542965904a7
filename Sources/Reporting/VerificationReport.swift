import Foundation
package import Verification

/// The findings about a film, for people and for programs; the help of `camrec verify` says what the fields mean.
package struct VerificationReport: Encodable {
  package let format = "camrec-verify"
  package let version = 1
  package let path: String
  package let verdict: String
  package let findings: [FilmFinding]
  package let facts: FilmFacts

  /// The worst first, each kind in the file's order.
  package init(_ check: FilmCheck, path: String) {
    self.path = path
    let order: [FilmFinding.Severity] = [.error, .warning, .note]
    findings = order.flatMap { severity in check.findings.filter { $0.severity == severity } }
    facts = check.facts
    worst = findings.map(\.severity).max()
    verdict =
      switch worst {
      case .error?: "error"
      case .warning?: "warning"
      default: "ok"
      }
  }

  package let worst: FilmFinding.Severity?

  private enum CodingKeys: String, CodingKey { case format, version, path, verdict, findings, facts }

  package var text: String {
    func count(_ severity: FilmFinding.Severity) -> String? {
      let count = findings.count { $0.severity == severity }
      return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
    let counts = [count(.error), count(.warning), count(.note)].compactMap { $0 }
    var lines = ["\(path): \(counts.isEmpty ? "no problems" : counts.joined(separator: ", "))"]
    for finding in findings {
      let place = finding.offset.map { " at \($0)" } ?? ""
      let word = finding.severity.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0)
      lines.append("\(word)\(finding.atom)\(place): \(finding.finding)")
      if let breaks = finding.breaks { lines.append("         breaks: \(breaks)") }
      if let remedy = finding.remedy { lines.append("         → \(remedy)") }
    }
    // A film's own texts go to a terminal.
    return lines.map {
      String($0.unicodeScalars.map { $0.value < 0x20 || 0x7F..<0xA0 ~= $0.value ? "·" : Character($0) })
    }.joined(separator: "\n")
  }
}
