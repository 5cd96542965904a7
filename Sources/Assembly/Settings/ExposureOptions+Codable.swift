import Exposure
import Frames
package import Recorder

/// Stored as the command line writes them; EV exactly, in 1/1024.
extension ExposureOptions: Codable {
  private enum CodingKeys: String, CodingKey {
    case mode, angle, mains, iso, bias, metering, locksWhileRecording, isLocked, baseISO, locksWithAngle
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let degrees = try values.decode(String.self, forKey: .angle).split(separator: "/").compactMap { Int64($0) }
    guard degrees.count == 2, degrees[1] != 0 else {
      throw DecodingError.dataCorruptedError(forKey: .angle, in: values, debugDescription: "degrees are a fraction")
    }
    self.init(
      mode: try Mode(parsing: try values.decode(String.self, forKey: .mode)),
      angle: try ShutterAngle(degrees: Rational(degrees[0], degrees[1])),
      mains: try values.decode(MainsFrequency.self, forKey: .mains),
      iso: try values.decodeIfPresent(Double.self, forKey: .iso),
      bias: Stops(units: try values.decode(Int.self, forKey: .bias)),
      metering: try MeteringMode(parsing: try values.decode(String.self, forKey: .metering)),
      locksWhileRecording: try values.decode(Bool.self, forKey: .locksWhileRecording),
      isLocked: try values.decode(Bool.self, forKey: .isLocked),
      baseISO: try values.decode(Double.self, forKey: .baseISO),
      locksWithAngle: try values.decodeIfPresent(Bool.self, forKey: .locksWithAngle) ?? false)
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(mode.rawValue, forKey: .mode)
    try values.encode("\(angle.degrees.numerator)/\(angle.degrees.denominator)", forKey: .angle)
    try values.encode(mains, forKey: .mains)
    try values.encodeIfPresent(iso, forKey: .iso)
    try values.encode(bias.units, forKey: .bias)
    try values.encode(metering.word, forKey: .metering)
    try values.encode(locksWhileRecording, forKey: .locksWhileRecording)
    try values.encode(isLocked, forKey: .isLocked)
    try values.encode(baseISO, forKey: .baseISO)
    // Only a restart sets it, and what was stored before has none.
    if locksWithAngle { try values.encode(true, forKey: .locksWithAngle) }
  }
}
