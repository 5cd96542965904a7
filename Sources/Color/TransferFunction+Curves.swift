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

/// Apple Log: a parabola up to `rt`, logarithmic from there. Signal 0.1504765 for black, 0.694553 for 1, 1 for 12.
enum AppleLog {
  static let r0 = -0.05641088
  static let rt = 0.01
  static let c = 47.28711236
  static let beta = 0.00964052
  static let gamma = 0.08550479
  static let delta = 0.69336945
  static let signalAtRt = c * (rt - r0) * (rt - r0)

  static func encode(_ linear: Double) -> Double {
    if linear >= rt { return gamma * log2(linear + beta) + delta }
    return linear > r0 ? c * (linear - r0) * (linear - r0) : 0
  }

  static func decode(_ signal: Double) -> Double {
    if signal >= signalAtRt { return exp2((signal - delta) / gamma) - beta }
    return signal > 0 ? (signal / c).squareRoot() + r0 : r0
  }
}

/// Sony S-Log3, in code values of 10 bits over 1023: black 95, 18 % grey 420.
enum SLog3 {
  static let cut = 0.01125
  static let codeAtCut = 171.2102946929
  static let blackCode = 95.0

  static func encode(_ linear: Double) -> Double {
    let code =
      linear >= cut
      ? 420 + log10((linear + 0.01) / (0.18 + 0.01)) * 261.5
      : linear * (codeAtCut - blackCode) / cut + blackCode
    return code / 1023
  }

  static func decode(_ signal: Double) -> Double {
    let code = signal * 1023
    return code >= codeAtCut
      ? pow(10, (code - 420) / 261.5) * (0.18 + 0.01) - 0.01
      : (code - blackCode) * cut / (codeAtCut - blackCode)
  }
}

/// Panasonic V-Log.
enum VLog {
  static let cut = 0.01
  static let b = 0.00873
  static let c = 0.241514
  static let d = 0.598206

  static func encode(_ linear: Double) -> Double {
    linear < cut ? 5.6 * linear + 0.125 : c * log10(linear + b) + d
  }

  static func decode(_ signal: Double) -> Double {
    signal < 5.6 * cut + 0.125 ? (signal - 0.125) / 5.6 : pow(10, (signal - d) / c) - b
  }
}

/// ARRI LogC v3 at EI 800, scene-linear constants (0.18 for 18 % grey).
enum LogC3 {
  static let cut = 0.010591
  static let a = 5.555556
  static let b = 0.052272
  static let c = 0.247190
  static let d = 0.385537
  static let e = 5.367655
  static let f = 0.092809

  static func encode(_ linear: Double) -> Double {
    linear > cut ? c * log10(a * linear + b) + d : e * linear + f
  }

  static func decode(_ signal: Double) -> Double {
    signal > e * cut + f ? (pow(10, (signal - d) / c) - b) / a : (signal - f) / e
  }
}
