public import Frames

/// A day of the week; weeks begin on Monday.
public enum ScheduleDay: String, Hashable, Sendable, CaseIterable {
  case monday = "mon", tuesday = "tue", wednesday = "wed", thursday = "thu", friday = "fri", saturday = "sat", sunday =
    "sun"
}

/// A window of the wall clock on days of the week: `mon-fri 08:00-18:00`, `sat,sun 22:00-02:00`, `00:00-24:00`.
public struct ScheduleWindow: Hashable, Sendable, CustomStringConvertible {
  /// The days on which it begins.
  public var days: Set<ScheduleDay>
  /// Seconds since midnight. An end that is not after the start belongs to the next day.
  public var start: Int64
  public var end: Int64
  /// As the user wrote it.
  public let description: String

  private static let wanted = "write days and times, as in 08:00-18:00, mon-fri 08:00-18:00 or sat,sun 22:00-02:00"

  /// - Throws: code `usage`.
  public init(parsing text: String) throws(CamrecError) {
    let words = text.lowercased().split(separator: " ").map(String.init)
    guard let times = words.last, words.count <= 2 else { throw CamrecError(.usage, ScheduleWindow.wanted) }
    days = words.count == 2 ? try ScheduleWindow.days(words[0]) : Set(ScheduleDay.allCases)
    let ends = times.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard ends.count == 2 else { throw CamrecError(.usage, "\(ScheduleWindow.wanted), not '\(times)'") }
    start = try ScheduleWindow.seconds(ends[0])
    end = try ScheduleWindow.seconds(ends[1])
    guard start != end else {
      throw CamrecError(.usage, "'\(times)' ends when it begins; write 00:00-24:00 for a whole day")
    }
    guard start < RecordingSchedule.day else { throw CamrecError(.usage, "a window must begin by 23:59:59") }
    description = words.joined(separator: " ")
  }

  private static func days(_ text: String) throws(CamrecError) -> Set<ScheduleDay> {
    var days: Set<ScheduleDay> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard (1...2).contains(ends.count) else { throw refusal(text) }
      var known: [Int] = []
      for name in ends {
        guard let day = ScheduleDay(rawValue: name), let place = ScheduleDay.allCases.firstIndex(of: day) else {
          throw refusal(name)
        }
        known.append(place)
      }
      // fri-mon continues past the end of the week.
      var place = known[0]
      days.insert(ScheduleDay.allCases[place])
      while place != known[known.count - 1] {
        place = (place + 1) % 7
        days.insert(ScheduleDay.allCases[place])
      }
    }
    return days
  }

  private static func refusal(_ name: String) -> CamrecError {
    CamrecError(.usage, "'\(name)' is not a day; write mon, tue, wed, thu, fri, sat or sun, as in mon-fri or sat,sun")
  }

  private static func seconds(_ text: String) throws(CamrecError) -> Int64 {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.count == 2 && part.allSatisfy { $0.isASCII && $0.isNumber } ? Int64(part) : nil
    }
    guard numbers.count == parts.count, (2...3).contains(numbers.count), numbers.dropFirst().allSatisfy({ $0 < 60 })
    else {
      throw CamrecError(.usage, "'\(text)' is not a time of day; write HH:MM or HH:MM:SS, 00:00 to 24:00")
    }
    let seconds = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0)
    guard seconds <= RecordingSchedule.day else {
      throw CamrecError(.usage, "'\(text)' is not a time of day; write HH:MM or HH:MM:SS, 00:00 to 24:00")
    }
    return seconds
  }
}
