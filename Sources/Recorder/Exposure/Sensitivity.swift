import Cameras
public import Exposure
import Foundation
import Frames

/// A camera's gain in EV above its lowest, and how to set it.
public struct Sensitivity: Hashable, Sendable {
  /// The control that sets it; `nil` if the camera has none.
  let control: CameraControl?
  public let scale: GainScale
  /// The ISO speed of the lowest gain.
  public let lowestISO: Double
  /// The EV of each gain are known, not guessed.
  public let isCalibrated: Bool
  private let numbers: Numbers

  /// The meaning of the control's numbers.
  private enum Numbers: Hashable {
    case none
    /// ISO speeds.
    case iso(ClosedRange<Double>)
    /// For each number of the control its EV, measured or guessed, rising.
    case table([GainCalibration.Point])
  }

  /// EV between the ends of an uncalibrated gain.
  private static let guessedRange = 4.0
  /// The most steps for a control with more numbers, or a continuous one.
  private static let mostNumbers = 1024.0

  /// - Parameters:
  ///   - baseISO: the ISO of the lowest gain, if the camera reports no ISO.
  ///   - calibration: the calibration of the gain.
  init(_ offers: [ControlOffer], baseISO: Double, calibration: GainCalibration? = nil) {
    self.init(reading: offers.filter { !$0.isReadOnly }, baseISO: baseISO, calibration: calibration)
  }

  /// Also uses controls that can only be read.
  init(reading offers: [ControlOffer], baseISO: Double, calibration: GainCalibration?) {
    if let iso = offers.first(where: { $0.control == .iso }), let range = iso.range,
      range.lowerBound > 0
    {
      control = .iso
      lowestISO = range.lowerBound
      numbers = .iso(range)
      isCalibrated = true
      if case .listed(let speeds) = iso.kind, Set(speeds).count == speeds.count {
        scale = .steps(speeds.sorted().map { Stops(log2($0 / range.lowerBound)) })
      } else {
        scale = .continuous(.zero...Stops(log2(range.upperBound / range.lowerBound)))
      }
    } else if let gain = offers.first(where: { $0.control == .gain }), let range = gain.range,
      range.lowerBound < range.upperBound
    {
      let points = Sensitivity.points(range, step: gain.step, calibration?.extended(to: range.upperBound))
      control = .gain
      lowestISO = baseISO
      numbers = .table(points)
      isCalibrated = calibration != nil
      scale = .steps(points.map { Stops($0.ev) })
    } else {
      control = nil
      lowestISO = baseISO
      numbers = .none
      isCalibrated = false
      scale = .steps([.zero])
    }
  }

  /// The numbers of the control whose EV differ by at least the unit in which the controller counts.
  private static func points(
    _ range: ClosedRange<Double>, step: Double, _ calibration: GainCalibration?
  ) -> [GainCalibration.Point] {
    let (first, last) = calibration.map { ($0.points[0].number, $0.points[$0.points.count - 1].number) }
      ?? (range.lowerBound, range.upperBound)
    let width = max(step, (last - first) / mostNumbers)
    var points: [GainCalibration.Point] = []
    var number = first
    while number <= last {
      let part = (number - first) / (last - first)
      let ev = calibration?.ev(of: number) ?? log2(1 + part * (exp2(guessedRange) - 1))
      if points.last.map({ Stops($0.ev) < Stops(ev) }) ?? true {
        points.append(GainCalibration.Point(number: number, ev: ev))
      }
      number += width
    }
    return points
  }

  /// The ISO speeds of its gains.
  var isoRange: ClosedRange<Double> {
    if case .iso(let range) = numbers { return range }
    return lowestISO...max(lowestISO, iso(of: scale.range.upperBound))
  }

  public func iso(of gain: Stops) -> Double { lowestISO * exp2(gain.ev) }

  func gain(ofISO iso: Double) -> Stops { Stops(log2(max(iso, 1e-3) / lowestISO)) }

  /// The control's number for `gain`.
  func number(of gain: Stops) -> Double {
    switch numbers {
    case .none: 0
    case .iso(let range): min(max(iso(of: gain), range.lowerBound), range.upperBound)
    case .table(let points): points.min { abs($0.ev - gain.ev) < abs($1.ev - gain.ev) }?.number ?? 0
    }
  }

  func gain(of number: Double) -> Stops {
    switch numbers {
    case .none: .zero
    case .iso: gain(ofISO: number)
    case .table(let points):
      Stops(points.min { abs($0.number - number) < abs($1.number - number) }?.ev ?? 0)
    }
  }
}

extension Sensitivity {
  /// For people and stills: the ISO speed of a gain; `nil` if the camera has no gain that camrec knows. With an
  /// uncalibrated gain it is relative to the lowest.
  func told(_ gain: Stops) -> Double? { control == nil ? nil : iso(of: gain) }

  /// The record of a frame's exposure.
  func record(_ setting: ExposureSetting) -> ExposureRecord {
    ExposureRecord(
      exposureTime: setting.exposureTime, iso: iso(of: setting.gainStops),
      gain: control == .gain ? number(of: setting.gainStops) : nil,
      gainEV: control == nil ? nil : ExposureRecord.hundredths(setting.gain))
  }
}

extension ControlOffer {
  /// From the least to the greatest number; `nil` for a control without numbers.
  var range: ClosedRange<Double>? {
    switch kind {
    case .number(let minimum, let maximum, _): minimum <= maximum ? minimum...maximum : nil
    case .listed(let numbers):
      numbers.min().flatMap { least in numbers.max().map { least...$0 } }
    default: nil
    }
  }

  var step: Double {
    if case .number(_, _, let step) = kind { return step }
    return 0
  }
}
