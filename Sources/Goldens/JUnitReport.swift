import Foundation
import Frames

/// A run of a suite for programs that read JUnit's XML: a `testcase` for each case, with `failure` where it differs and
/// `error` where it could not be run.
public struct JUnitReport {
  /// With a declaration before and a line end after it.
  public let text: String

  public init(suite: String, outcomes: [CaseOutcome]) {
    func count(_ verdict: CaseOutcome.Verdict) -> Int { outcomes.count { $0.verdict == verdict } }
    let seconds = JUnitReport.seconds(outcomes.reduce(0) { $0 + $1.seconds })
    let counts =
      "tests=\"\(outcomes.count)\" failures=\"\(count(.differs))\" errors=\"\(count(.error))\" time=\"\(seconds)\""
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites \(counts)>",
      "  <testsuite name=\"\(JUnitReport.escaped(suite))\" \(counts)>",
    ]
    for outcome in outcomes { lines += JUnitReport.lines(outcome, suite) }
    text = (lines + ["  </testsuite>", "</testsuites>", ""]).joined(separator: "\n")
  }

  private static func lines(_ outcome: CaseOutcome, _ suite: String) -> [String] {
    let head =
      "    <testcase classname=\"\(escaped(suite))\" name=\"\(escaped(outcome.name))\""
      + " time=\"\(seconds(outcome.seconds))\""
    let inner: String
    switch outcome.result {
    case .failure(let error):
      inner = "<error type=\"\(error.code.rawValue)\" message=\"\(escaped(error.description))\"/>"
    case .success(let stages):
      let wrong = stages.filter { !$0.outcome.isWell }
      guard let first = wrong.first else { return [head + "/>"] }
      let sentences = wrong.flatMap { stage in
        stage.outcome.sentences(limit: 20).map { "\(stage.stage.rawValue): \($0)" }
      }
      let message = "\(first.stage.rawValue): \(first.outcome.sentences(limit: 1).first ?? "")"
      inner = "<failure message=\"\(escaped(message))\">\(escaped(sentences.joined(separator: "\n")))</failure>"
    }
    return [head + ">", "      " + inner, "    </testcase>"]
  }

  private static func seconds(_ value: Double) -> String { String(format: "%.3f", value) }

  /// XML 1.0, 2.2 and 2.4: characters that it does not have are left out.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n", "\t": escaped.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20 || 0xFFFE...0xFFFF ~= scalar.value: break
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
