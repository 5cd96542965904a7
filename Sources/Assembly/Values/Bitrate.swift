package import Frames

/// Bits per second as `--bitrate` takes them: `40M`, `800k`, `12.5M`.
package struct Bitrate: Hashable, Sendable {
  package let bitsPerSecond: Int

  package static let limits = 1_000.0...10_000_000_000.0

  package init(parsing text: String) throws(CamrecError) {
    let scales: [Character: Double] = ["k": 1e3, "m": 1e6, "g": 1e9]
    let scale = text.last.flatMap { scales[Character($0.lowercased())] }
    let digits = scale == nil ? text[...] : text.dropLast()
    guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let value = Double(digits),
      Bitrate.limits.contains(value * (scale ?? 1))
    else {
      throw CamrecError(.usage, "a bitrate is 1k to 10G bits per second, as in 40M, 12.5M or 800k")
    }
    bitsPerSecond = Int((value * (scale ?? 1)).rounded())
  }
}
