import Foundation

/// Apple Log (Apple, "Apple Log Profile White Paper", September 2023): a parabola up to `rt`, logarithmic from there.
///
/// Check values, light to signal: 0 to 0.1504765, 0.01 to 0.2085553, 0.18 to 0.4882725, 1 to 0.694553, 12 to 1.
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

/// Sony S-Log3 ("Technical Summary for S-Gamut3.Cine/S-Log3 and S-Gamut3/S-Log3", appendix).
///
/// Check values, light to 10-bit code over 1023: 0 to 95, 0.18 to 420, 0.9 to 598.
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

/// Panasonic V-Log ("V-Log/V-Gamut Reference Manual", November 2014).
///
/// Check values, light to 10-bit code over 1023: 0 to 128, 0.18 to 433, 0.9 to 602.
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

/// ARRI LogC v3 at EI 800, scene-linear constants ("ALEXA Log C Curve: Usage in VFX").
///
/// Check values, light to signal: 0 to 0.092809, 0.18 to 0.391007.
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

/// ARRI LogC4, the same at every EI ("LogC4 Logarithmic Color Space Specification", 2022).
///
/// Check values, light to signal: 0 to 95/1023, 0.18 to 0.2783958; signal 1 is light 469.8.
enum LogC4 {
  static let a = (262_144.0 - 16) / 117.45
  static let b = (1023.0 - 95) / 1023
  static let c = 95.0 / 1023
  static let s = 7 * log(2) * exp2(7 - 14 * c / b) / (a * b)
  static let t = (exp2(-14 * c / b + 6) - 64) / a

  static func encode(_ linear: Double) -> Double {
    linear >= t ? (log2(a * linear + 64) - 6) / 14 * b + c : (linear - t) / s
  }

  static func decode(_ signal: Double) -> Double {
    signal >= 0 ? (exp2(14 * (signal - c) / b + 6) - 64) / a : signal * s + t
  }
}

/// Fujifilm F-Log2 ("F-Log2 Data Sheet", version 1.0), recorded with the primaries of BT.2020 (F-Gamut).
///
/// Check values, light to 10-bit code over 1023: 0 to 95, 0.18 to 400, 0.9 to 570.
enum FLog2 {
  static let cut = 0.000889
  static let signalAtCut = 0.100686685370811
  static let a = 5.555556
  static let b = 0.064829
  static let c = 0.245281
  static let d = 0.384316
  static let e = 8.799461
  static let f = 0.092864

  static func encode(_ linear: Double) -> Double {
    linear >= cut ? c * log10(a * linear + b) + d : e * linear + f
  }

  static func decode(_ signal: Double) -> Double {
    signal >= signalAtCut ? (pow(10, (signal - d) / c) - b) / a : (signal - f) / e
  }
}

/// Canon Log 3 ("Canon Log Gamma Curves", 2018; constants for code values as in Canon's input transforms for ACES):
/// straight near black, logarithmic on both sides of it. Canon counts a reflectance of 0.9 as 1.
///
/// Check values, light to 10-bit code over 1023: 0 to 128, 0.18 to 351, 0.9 to 577.
enum CLog3 {
  static let one = 0.9
  static let cut = 0.014
  static let signalsAtCuts = (0.097465473, 0.15277891)
  static let gain = 14.98325
  static let scale = 0.36726845
  static let slope = 1.9754798
  static let (below, middle, above) = (0.12783901, 0.12512219, 0.12240537)

  static func encode(_ linear: Double) -> Double {
    let x = linear / one
    if x < -cut { return below - scale * log10(1 - gain * x) }
    return x > cut ? above + scale * log10(1 + gain * x) : middle + slope * x
  }

  static func decode(_ signal: Double) -> Double {
    if signal < signalsAtCuts.0 { return one * (1 - pow(10, (below - signal) / scale)) / gain }
    if signal > signalsAtCuts.1 { return one * (pow(10, (signal - above) / scale) - 1) / gain }
    return one * (signal - middle) / slope
  }
}
