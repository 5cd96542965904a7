public import Frames

/// A SMPTE ST 12-1 timecode address: the label of a recording's first frame.
public struct Timecode: Hashable, Sendable, CustomStringConvertible {
  public let hours: Int
  public let minutes: Int
  public let seconds: Int
  public let frames: Int
  /// Drop-frame numbering: labels ;00 and ;01 (;00…;03 at 60) of each minute but every tenth do not exist.
  public let dropFrame: Bool
  /// Digits of the frames in `description`: two, or three above 100 fps, as FFmpeg writes them.
  private let frameDigits: Int

  /// Reads `HH:MM:SS:FF`, or `HH:MM:SS;FF` for drop-frame, at `rate`. Above 100 fps it also reads `HH:MM:SS:FFF`, and
  /// up to 10 fps `HH:MM:SS:F`: FFmpeg writes the digits that the greatest number has.
  ///
  /// - Throws: code `usage`: the text is no timecode, a field is out of range, the label does not exist in drop-frame,
  ///   or the rate has no drop-frame (only 30000/1001 and 60000/1001 do).
  public init(parsing text: String, rate: FrameRate) throws(CamrecError) {
    let fields = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == ";" }
    let separators = text.filter { $0 == ":" || $0 == ";" }
    let frameDigits = Timecode.frameDigits(rate)
    let numbers = fields.enumerated().compactMap { (index, field) -> Int? in
      guard field.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
      let digits = index == 3 ? (rate.timecodeBase <= 10 ? 1 : 2)...frameDigits : 2...2
      return digits.contains(field.count) ? Int(field) : nil
    }
    guard numbers.count == 4, separators == ":::" || separators == "::;" else {
      let frames = String(repeating: "F", count: frameDigits)
      throw CamrecError(
        .usage, "timecode '\(text)' is neither HH:MM:SS:\(frames) (HH:MM:SS;FF for drop-frame) nor 'now'")
    }
    let limits = [24, 60, 60, rate.timecodeBase]
    let names = ["hours", "minutes", "seconds", "frames"]
    for (index, number) in numbers.enumerated() where number >= limits[index] {
      throw CamrecError(.usage, "timecode '\(text)': \(names[index]) are 0 to \(limits[index] - 1) at \(rate) fps")
    }
    let dropFrame = separators == "::;"
    if dropFrame {
      guard Timecode.dropsFrames(rate) else {
        throw CamrecError(
          .usage,
          "timecode '\(text)': drop-frame exists only at 30000/1001 and 60000/1001 fps, not at \(rate); "
            + "write HH:MM:SS:FF")
      }
      if numbers[2] == 0, numbers[1] % 10 != 0, numbers[3] < Timecode.droppedPerMinute(rate) {
        let next = text.dropLast(2) + Timecode.padded(Timecode.droppedPerMinute(rate))
        throw CamrecError(
          .usage, "timecode '\(text)' does not exist in drop-frame; the next one that does is \(next)")
      }
    }
    self.init(
      hours: numbers[0], minutes: numbers[1], seconds: numbers[2], frames: numbers[3], dropFrame: dropFrame,
      frameDigits: frameDigits)
  }

  /// The local time of day as a label at `rate`: drop-frame where the rate has it.
  ///
  /// - Parameter secondsSinceMidnight: local time of day, 0 ≤ seconds < 86400.
  public init(timeOfDay secondsSinceMidnight: Double, rate: FrameRate) {
    let dropFrame = Timecode.dropsFrames(rate)
    let whole = secondsSinceMidnight.rounded(.down)
    let count =
      dropFrame
      ? Int(secondsSinceMidnight * rate.framesPerSecond)
      : Int(whole) * rate.timecodeBase + Int((secondsSinceMidnight - whole) * Double(rate.timecodeBase))
    self.init(count: count, rate: rate, dropFrame: dropFrame)
  }

  /// The label `frames` frames later, in the same numbering; it starts again after a day.
  public func advanced(by frames: Int, at rate: FrameRate) -> Timecode {
    let count = frameNumber(at: rate) + frames, perDay = framesPerDay(at: rate)
    return Timecode(count: (count % perDay + perDay) % perDay, rate: rate, dropFrame: dropFrame)
  }

  /// Labels of a day, in the same numbering.
  public func framesPerDay(at rate: FrameRate) -> Int {
    let dropped = dropFrame ? Timecode.droppedPerMinute(rate) : 0
    return 24 * 3600 * rate.timecodeBase - dropped * (24 * 60 - 24 * 6)
  }

  /// Frames since midnight, as a timecode track stores the label (QuickTime File Format, "Timecode Sample Data").
  public func frameNumber(at rate: FrameRate) -> Int {
    let minute = hours * 60 + minutes
    let dropped = dropFrame ? Timecode.droppedPerMinute(rate) * (minute - minute / 10) : 0
    return (minute * 60 + seconds) * rate.timecodeBase + frames - dropped
  }

  /// Seconds since midnight that the label says at `rate`. A drop-frame label counts frames: it is up to 0.1 s off the
  /// clock that it looks like.
  public func timeOfDay(at rate: FrameRate) -> Double {
    if dropFrame { return Double(frameNumber(at: rate)) / rate.framesPerSecond }
    return Double((hours * 60 + minutes) * 60 + seconds) + Double(frames) / Double(rate.timecodeBase)
  }

  /// - Parameter count: frames since midnight, of a day.
  private init(count: Int, rate: FrameRate, dropFrame: Bool) {
    let base = rate.timecodeBase
    var number = count
    if dropFrame {
      // Count the labels that were skipped up to here (ST 12-1, 5.2.2).
      let dropped = Timecode.droppedPerMinute(rate)
      let perMinute = base * 60 - dropped
      let perTenMinutes = base * 600 - dropped * 9
      // A day has 2.6 more frames than labels at 29.97: its last moments keep the last label.
      number = min(number, perTenMinutes * 144 - 1)
      let (tens, rest) = number.quotientAndRemainder(dividingBy: perTenMinutes)
      number += tens * dropped * 9
      if rest >= base * 60 { number += dropped * (1 + (rest - base * 60) / perMinute) }
    }
    let seconds = number / base
    self.init(
      hours: seconds / 3600 % 24, minutes: seconds / 60 % 60, seconds: seconds % 60, frames: number % base,
      dropFrame: dropFrame, frameDigits: Timecode.frameDigits(rate))
  }

  private init(hours: Int, minutes: Int, seconds: Int, frames: Int, dropFrame: Bool, frameDigits: Int) {
    self.hours = hours
    self.minutes = minutes
    self.seconds = seconds
    self.frames = frames
    self.dropFrame = dropFrame
    self.frameDigits = frameDigits
  }

  public static func dropsFrames(_ rate: FrameRate) -> Bool {
    rate.rational == Rational(30000, 1001) || rate.rational == Rational(60000, 1001)
  }

  private static func droppedPerMinute(_ rate: FrameRate) -> Int { rate.timecodeBase / 15 }
  /// Rates go up to 1000 fps.
  private static func frameDigits(_ rate: FrameRate) -> Int { rate.timecodeBase > 100 ? 3 : 2 }
  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  public var description: String {
    let clock = [hours, minutes, seconds].map(Timecode.padded).joined(separator: ":")
    let zero = frameDigits > 2 && frames < 100 ? "0" : ""
    return clock + (dropFrame ? ";" : ":") + zero + Timecode.padded(frames)
  }
}
