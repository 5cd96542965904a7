public import Cameras
import Exposure
import Foundation
public import Frames
import Platform

/// A camera's gain in EV, and the delay of its settings: measured once, and kept under the camera's identity.
public struct GainCalibration: Codable, Hashable, Sendable {
  /// A number of the gain control and its EV.
  public struct Point: Codable, Hashable, Sendable {
    public let number: Double
    /// EV above the first point.
    public let ev: Double

    public init(number: Double, ev: Double) {
      self.number = number
      self.ev = ev
    }
  }

  /// At least two, with rising numbers and rising EV, the first at 0 EV.
  public let points: [Point]
  /// Which frame after the last captured one is the first to show a setting.
  public let delay: Int

  /// - Returns: `nil` for fewer than two points, points that do not rise, or a delay out of range.
  public init?(points: [Point], delay: Int) {
    guard points.count >= 2, (1...ExposureConfiguration.longestDelay).contains(delay),
      zip(points, points.dropFirst()).allSatisfy({ $0.number < $1.number && $0.ev < $1.ev && $1.ev.isFinite })
    else { return nil }
    self.points = points
    self.delay = delay
  }

  /// The EV of any number between the first point and the last, interpolated linearly between neighbours.
  func ev(of number: Double) -> Double {
    let inside = min(max(number, points[0].number), points[points.count - 1].number)
    let above = max(1, points.firstIndex { $0.number >= inside } ?? points.count - 1)
    let (a, b) = (points[above - 1], points[above])
    return a.ev + (b.ev - a.ev) * (inside - a.number) / (b.number - a.number)
  }

  /// Extrapolates points up to the highest number from the last points: in proportion to the number for gains that
  /// count decibels, to its logarithm for gains that multiply.
  package func extended(to highest: Double) -> GainCalibration {
    let last = points[points.count - 1], before = points[points.count - 2]
    guard last.number < highest, before.number > 0 else { return self }
    let slope = GainCalibration.slope(before, last)
    let bent = (last.ev - before.ev) / log2(last.number / before.number)
    let isStraight = points.count > 2 && slope > 0.75 * GainCalibration.slope(points[points.count - 3], before)
    var all = points
    var number = last.number
    while number < highest {
      number = min(number * 2.0.squareRoot(), highest)
      let ev = isStraight ? slope * (number - last.number) : bent * log2(number / last.number)
      all.append(Point(number: number, ev: last.ev + ev))
    }
    return GainCalibration(points: all, delay: delay) ?? self
  }

  /// Extrapolates points at these numbers, which rise and lie below the first, from the first points.
  package func extended(down numbers: some Collection<Double>) -> GainCalibration {
    let first = points[0], next = points[1]
    guard first.number > 0, numbers.allSatisfy({ $0 > 0 && $0 < first.number }) else { return self }
    let slope = GainCalibration.slope(first, next)
    let bent = (next.ev - first.ev) / log2(next.number / first.number)
    let isStraight = points.count > 2 && GainCalibration.slope(next, points[2]) > 0.75 * slope
    let below = numbers.map { number in
      Point(number: number, ev: isStraight ? slope * (number - first.number) : bent * log2(number / first.number))
    }
    let lowest = below.first?.ev ?? 0
    return GainCalibration(
      points: (below + points).map { Point(number: $0.number, ev: $0.ev - lowest) }, delay: delay) ?? self
  }

  /// EV per number.
  private static func slope(_ one: Point, _ other: Point) -> Double {
    (other.ev - one.ev) / (other.number - one.number)
  }

  // MARK: Keeping

  /// The file of a camera's calibration.
  public static func path(identity: String, folder: String = StateFolder.path) -> String {
    let name = identity.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "camera"
    return "\(folder)/gain-\(name.prefix(200)).json"
  }

  /// The kept calibration; `nil` if there is none, or it cannot be read: the camera is then calibrated again.
  public static func kept(identity: String, folder: String = StateFolder.path) -> GainCalibration? {
    guard let bytes = try? InputFile.read(path: path(identity: identity, folder: folder), limit: 1 << 20),
      let read = try? JSONDecoder().decode(GainCalibration.self, from: Data(bytes))
    else { return nil }
    return GainCalibration(points: read.points, delay: read.delay)
  }

  /// - Throws: code `output` if the file cannot be written.
  public func keep(identity: String, folder: String = StateFolder.path) throws(CamrecError) {
    let path = GainCalibration.path(identity: identity, folder: folder)
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
      try NewFile.write(Array(encoder.encode(self)), to: path, overwrite: true)
    } catch let error as CamrecError {
      throw CamrecError(.output, "cannot write '\(path)'", cause: error.cause ?? error.message)
    } catch {
      throw CamrecError(.output, "cannot write '\(path)'", cause: error.localizedDescription)
    }
  }
}
