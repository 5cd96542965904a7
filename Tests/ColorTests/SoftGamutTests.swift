import Color
import Testing

@Suite struct SoftGamutTests {
  private let gamut = SoftGamut(threshold: 0.2)

  private func distance(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { max((a - b).max(), (b - a).max()) }

  @Test func `colours well inside stay`() {
    for light: SIMD3<Double> in [[0.18, 0.18, 0.18], [1, 1, 1], [0.9, 0.3, 0.25], [0.01, 0.05, 0.012], [0, 0, 0]] {
      #expect(distance(gamut.lifted(light), light) < 1e-15)
      #expect(distance(gamut.held(light), light) < 1e-15)
    }
  }

  @Test func `no channel stays below zero, and none of those held is above one`() {
    for light: SIMD3<Double> in [[1.2, -0.3, 0.1], [-0.2, 0.9, 1.1], [1e-12, -1, -1], [1.5, 1.4, 1.6], [3, 0, 0]] {
      #expect(gamut.lifted(light).min() >= 0)
      #expect(gamut.held(light).min() >= 0 && gamut.held(light).max() <= 1)
    }
    #expect(gamut.lifted([-1, -0.5, 0]) == .zero)
  }

  @Test func `what is above one keeps its chromaticity`() {
    let held = gamut.held([2, 1.5, 1])
    #expect(distance(held, [1, 0.75, 0.5]) < 1e-12)
  }

  @Test func `twice the light is twice the result`() {
    let light: SIMD3<Double> = [0.4, -0.05, 0.03]
    #expect(distance(gamut.lifted(2 * light), 2 * gamut.lifted(light)) < 1e-15)
  }

  /// Across the threshold, across zero, and beyond.
  @Test func `a fading channel falls smoothly`() {
    let step = 1e-3
    var shares = stride(from: 0.4, through: -0.6, by: -step).map { gamut.lifted([1, 1, $0]).z }
    #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 > $1 })
    shares = zip(shares, shares.dropFirst()).map { ($0 - $1) / step }
    #expect(zip(shares, shares.dropFirst()).allSatisfy { abs($0 - $1) < 10 * step })
    #expect(shares.last.map { $0 < 0.01 } == true)
  }
}
