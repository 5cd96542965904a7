import Color
import Testing

@Suite struct OklabTests {
  @Test func `neutrals have no chroma and red is where Ottosson puts it`() {
    for grey in [0.0, 0.001, 0.18, 1, 12] { #expect(Oklab(linearRec709: SIMD3(repeating: grey)).chroma < 2e-7) }
    let red = Oklab(linearRec709: [1, 0, 0])
    #expect(abs(red.lightness - 0.627955) < 1e-5)
    #expect(abs(red.a - 0.224863) < 1e-5)
    #expect(abs(red.b - 0.125846) < 1e-5)
    #expect(abs(Oklab(linearRec709: .one).lightness - 1) < 1e-7)
  }

  @Test func `the way back is exact, also for negative light`() {
    for rgb: SIMD3<Double> in [[0.2, 0.5, 0.1], [-0.05, 0.3, 0.4], [4, 0.1, 0.2]] {
      let back = Oklab(linearRec709: rgb).linearRec709
      #expect(abs(back - rgb).max() < 1e-9)
    }
  }

  @Test func `hues near the turn are close`() {
    let first = Oklab(lightness: 0.5, a: -1, b: 0.01)
    let second = Oklab(lightness: 0.5, a: -1, b: -0.01)
    #expect(Oklab.hueDifference(first, second) < 1.2)
    #expect(abs(Oklab.hueDifference(Oklab(lightness: 0.5, a: 0, b: 1), second) - 90) < 1)
  }

  private func abs(_ vector: SIMD3<Double>) -> SIMD3<Double> { vector.replacing(with: -vector, where: vector .< 0) }
  private func abs(_ value: Double) -> Double { Swift.abs(value) }
}
