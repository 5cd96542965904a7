public import Foundation
public import Frames
import Platform

/// The metadata of a still: when it was taken, how it was exposed, and what made it.
public struct StillFacts: Hashable, Sendable {
  public var camera: String
  /// `camrec 1.2.3`, and the look that it was made with: `camrec 1.2.3, look portra-400, version 1, grain seed 1`.
  public var software: String
  public var date: Date
  /// The time zone for the date.
  public var timeZone: TimeZone
  public var width: Int
  public var height: Int
  public var rotation: Rotation
  /// Seconds; `nil` if unknown, as for the others.
  public var exposureTime: Double?
  public var iso: Double?
  /// EV above the metered exposure, or above the middle of its series.
  public var bias: Double?
  /// A still with a look has the colours of sRGB.
  public var hasLook: Bool

  /// - Parameter timeZone: `nil`: local time.
  public init(
    camera: String, software: String, date: Date, timeZone: TimeZone? = nil, width: Int, height: Int,
    rotation: Rotation = .none, exposureTime: Double? = nil, iso: Double? = nil, bias: Double? = nil,
    hasLook: Bool = false
  ) {
    self.camera = camera
    self.software = software
    self.date = date
    self.timeZone = timeZone ?? StillFacts.zone(at: date)
    self.width = width
    self.height = height
    self.rotation = rotation
    self.exposureTime = exposureTime
    self.iso = iso
    self.bias = bias
    self.hasLook = hasLook
  }

  /// With the offset that the names of films have at that time.
  private static func zone(at date: Date) -> TimeZone {
    let offset = LocalTime.offset(at: Int64(date.timeIntervalSince1970.rounded(.down)))
    return TimeZone(secondsFromGMT: Int(offset)) ?? .current
  }
}
