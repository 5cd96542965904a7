import Foundation

/// BT.709's camera curve. The two constants make the curve and its slope continuous; BT.709 prints them as 1.099 and
/// 0.018.
enum Rec709 {
  static let alpha = 1.09929682680944
  static let beta = 0.018053968510807

  static func encode(_ linear: Double) -> Double {
    linear < beta ? 4.5 * linear : alpha * pow(linear, 0.45) - (alpha - 1)
  }

  static func decode(_ signal: Double) -> Double {
    signal < 4.5 * beta ? signal / 4.5 : pow((signal + (alpha - 1)) / alpha, 1 / 0.45)
  }
}

/// IEC 61966-2-1.
enum SRGB {
  static func encode(_ linear: Double) -> Double {
    linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055
  }

  static func decode(_ signal: Double) -> Double {
    signal <= 12.92 * 0.0031308 ? signal / 12.92 : pow((signal + 0.055) / 1.055, 2.4)
  }
}
