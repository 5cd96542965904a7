import Color
import Frames
import Testing

@Suite struct TransferFunctionTests {
  /// The values that the papers print: light, signal.
  static let published: [TransferCharacteristic: [SIMD2<Double>]] = [
    .appleLog: [[0.18, 0.4882725], [0, 0.1504765], [1, 0.694553], [0.01, 0.2085553], [12, 1]],
    .slog3: [[0.18, code(420)], [0, code(95)], [0.90, code(598)]],
    .vlog: [[0.18, code(433)], [0, code(128)], [0.90, code(602)]],
    .logC3: [[0.18, 0.391007], [0, 0.092809]],
    .logC4: [[0.18, 0.2783958], [0, code(95)], [469.8, 1]],
    .fLog2: [[0.18, code(400)], [0, code(95)], [0.90, code(570)]],
    .cLog3: [[0.18, code(351)], [0, code(128)], [0.90, code(577)]],
    .rec709: [[0.18, 0.409], [0.018, 0.081], [1, 1], [0, 0]],
    .srgb: [[0.18, 0.4614], [1, 1], [0.0031308, 0.04045]],
    .linear: [[0.18, 0.18]],
  ]

  static func code(_ value: Double) -> Double { value / 1023 }

  @Test(arguments: published)
  func `signal of a known light is the published one`(
    characteristic: TransferCharacteristic, values: [SIMD2<Double>]
  ) throws {
    let curve = try #require(TransferFunction(characteristic))
    for value in values { #expect(abs(curve.encode(value.x) - value.y) < 5e-4) }
  }

  @Test func `Apple Log meets its check values to seven digits`() throws {
    let curve = try #require(TransferFunction(.appleLog))
    #expect(abs(curve.encode(0.18) - 0.4882725) < 5e-8)
    #expect(abs(curve.encode(0) - 0.1504765) < 5e-8)
    #expect(abs(curve.encode(0.01.nextDown) - curve.encode(0.01)) < 1e-8)
    #expect(curve.encode(-1) == 0)
  }

  @Test(arguments: TransferCharacteristic.allCases)
  func `decoding undoes encoding and the curve rises`(characteristic: TransferCharacteristic) {
    guard let curve = TransferFunction(characteristic) else {
      #expect([.pq, .hlg, .unspecified].contains(characteristic))
      return
    }
    var last = -Double.infinity
    for step in -50...16_000 {
      let linear = Double(step) / 1000
      let signal = curve.encode(linear)
      #expect(signal > last)
      #expect(abs(curve.decode(signal) - linear) < 1e-7 * max(1, abs(linear)))
      last = signal
    }
  }

  @Test(arguments: TransferCharacteristic.allCases)
  func `no curve jumps by more than its constants' last digit`(characteristic: TransferCharacteristic) {
    guard let curve = TransferFunction(characteristic) else { return }
    var last = curve.encode(-0.05)
    for step in -49_999...50_000 {
      let signal = curve.encode(Double(step) / 1_000_000)
      #expect(signal - last < 2e-5)
      last = signal
    }
  }
}
