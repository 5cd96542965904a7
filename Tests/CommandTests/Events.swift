import Foundation
import TestKit

/// The events of `--json`, one object a line.
struct Events {
  let all: [[String: Any]]

  init(_ outcome: CamrecBinary.Outcome) throws {
    all = try outcome.standardOutput.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
  }

  var kinds: [String] { all.map { $0["event"] as? String ?? "none" } }
  var started: [String: Any] { first("started") }
  var stopped: [String: Any] { first("stopped") }
  var warnings: [String] { all.filter { $0["event"] as? String == "warning" }.compactMap { $0["message"] as? String } }

  /// expected, captured, written.
  var account: [Int] {
    let ledger = stopped["ledger"] as? [String: Any] ?? [:]
    return ["expected", "captured", "written"].map { ledger[$0] as? Int ?? -1 }
  }

  /// deviceGap, deviceError, overload, disk, defect.
  var losses: [Int] {
    let lost = (stopped["ledger"] as? [String: Any])?["lost"] as? [String: Any] ?? [:]
    return ["deviceGap", "deviceError", "overload", "disk", "defect"].map { lost[$0] as? Int ?? -1 }
  }

  private func first(_ kind: String) -> [String: Any] { all.first { $0["event"] as? String == kind } ?? [:] }
}
