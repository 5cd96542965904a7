public import Frames

/// One of the 55 shutter speeds that cameras show, from 1/8000 to 30″ in thirds of an EV.
///
/// The anchor is 1″, which is exactly one second, as in the APEX system (time value 0 at 1 s; Exif 2.3, annex C). So
/// 1/250 is exactly 1/256 s and 30″ exactly 32 s: the real times of a shutter with whole thirds.
public struct ShutterSpeed: ThirdStopScale {
  /// 0 is 1/8000, 39 is 1″, 54 is 30″.
  public let index: Int

  public init(index: Int) {
    precondition(ShutterSpeed.names.indices.contains(index), "a shutter speed's index is 0 to 54")
    self.index = index
  }

  public static let names: [String] = """
    1/8000 1/6400 1/5000 1/4000 1/3200 1/2500 1/2000 1/1600 1/1250 1/1000 1/800 1/640 1/500 1/400 1/320 1/250 1/200 \
    1/160 1/125 1/100 1/80 1/60 1/50 1/40 1/30 1/25 1/20 1/15 1/13 1/10 1/8 1/6 1/5 1/4 0.3″ 0.4″ 1/2 0.6″ 0.8″ 1″ \
    1.3″ 1.6″ 2″ 2.5″ 3.2″ 4″ 5″ 6″ 8″ 10″ 13″ 15″ 20″ 25″ 30″
    """.split(separator: " ").map(String.init)

  public static let anchor = (index: 39, value: 1.0)

  /// The seconds in the name: 1/250, 3/10, 30.
  public var nominalSeconds: Rational { ShutterSpeed.nominal[index] }

  /// The exact seconds for the index, 1/3 EV from the neighbours': 1/256, 2^(−5/3), 32.
  public var exactSeconds: Double { exactValue }

  /// The name in characters that every keyboard and shell accepts: `0.3s` for 0.3″.
  public var typedName: String { name.replacing("″", with: "s") }

  /// By index, rising.
  static let nominal: [Rational] = names.map { name in
    guard let reading = Reading(name), reading.isTime, let seconds = reading.seconds else {
      preconditionFailure("\(name) cannot be read as an exposure time")
    }
    return seconds
  }
}
