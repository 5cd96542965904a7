import Frames
import Reporting
import Testing

/// How camrec ends is part of its contract.
struct ExitStatusTests {
  @Test func numbersStay() {
    let numbers: [Reporting.ExitStatus: Int32] = [
      .success: 0, .lost: 3, .odd: 4, .unfit: 5, .usage: 64, .input: 65, .device: 69, .defect: 70, .output: 74,
      .interrupted: 130,
    ]
    #expect(Reporting.ExitStatus.allCases.count == numbers.count)
    for status in Reporting.ExitStatus.allCases { #expect(status.rawValue == numbers[status]) }
    #expect(Set(Reporting.ExitStatus.allCases.map(\.meaning)).count == numbers.count, "each has a meaning of its own")
  }

  @Test func everyErrorHasAStatus() {
    let statuses: [CamrecError.Code: Reporting.ExitStatus] = [
      .usage: .usage, .input: .input, .device: .device, .output: .output, .overload: .lost,
      .interrupted: .interrupted, .defect: .defect,
    ]
    for code in CamrecError.Code.allCases { #expect(Reporting.ExitStatus(CamrecError(code, "so")) == statuses[code]) }
  }

  /// From the worst on.
  private static let order: [Reporting.ExitStatus] = [
    .interrupted, .defect, .output, .device, .usage, .input, .unfit, .odd, .lost, .success,
  ]

  @Test func theWorstOfSeveralCounts() {
    #expect(Reporting.ExitStatus.worst(of: []) == .success)
    #expect(Set(Self.order) == Set(Reporting.ExitStatus.allCases))
    for (place, worse) in Self.order.enumerated() {
      for better in Self.order[place...] {
        #expect(Reporting.ExitStatus.worst(of: [better, worse, better]) == worse, "\(worse), \(better)")
        for found in [[worse, better], [better, worse]] {
          var status = Reporting.ExitStatus.success
          for one in found { status.add(one) }
          #expect(status == worse, "\(found)")
        }
      }
    }
  }
}
