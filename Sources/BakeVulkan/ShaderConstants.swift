import Frames
import Kernels

/// The shader's constants in the order of `Shaders/constants.glsl`.
struct ShaderConstants {
  private(set) var words: [Int32] = []

  /// - Parameters:
  ///   - source: the format of frames in the buffers that the shader reads, one plane after another.
  ///   - target: the same for the buffers that it writes.
  init(_ constants: BakeConstants, source: FrameFormat, target: FrameFormat) {
    put(source.width, source.height)
    let from = constants.input, to = constants.output
    for component in [from.y, from.cb, from.cr] {
      put(
        source.start(plane: component.plane) + component.offset, component.step, source.stride(plane: component.plane))
    }
    put(from.sampleBytes, from.shift, from.maximum, from.chromaRows)
    for component in [to.y, to.cb, to.cr] { put(component.plane, component.offset, component.step) }
    put(to.shift, to.chromaRows, to.maximum, target.planeCount)
    for plane in 0..<3 { put(target.start(plane: plane), target.stride(plane: plane)) }
    let start = words.count
    put(constants.operation)
    skip(ShaderConstants.operationWords - (words.count - start))
    put(constants.isDithered ? 1 : 0)
  }

  /// The most words that an operation fills.
  private static let operationWords = 57

  private mutating func put(_ values: Int...) { words += values.map { Int32($0) } }
  private mutating func put(_ values: [Int32]) { words += values }
  private mutating func skip(_ count: Int) { words += Array(repeating: 0, count: count) }

  private mutating func put(_ operation: BakeConstants.Operation) {
    switch operation {
    case .keep: put(0, 1, 0, 0)
    case .rescale(let luma, let chroma):
      put(0, 0, 0, 0)
      for scale in [luma, chroma] { put([Int32(bitPattern: scale.mul)] + Self.halves(Int64(bitPattern: scale.add))) }
    case .matrix(let matrix):
      put(1, 0, 0, 0)
      skip(6)
      put(matrix.y + matrix.cb + matrix.cr)
    case .table(let table):
      let kind = BakeConstants.Interpolation.allCases.firstIndex(of: table.interpolation) ?? 0
      put(2, 0, kind, table.shaper == nil ? 0 : 1)
      skip(16)
      put(table)
    }
  }

  private mutating func put(_ table: BakeConstants.Table) {
    let map = table.coordinates, shift = BakeConstants.coordinateShift
    for coefficients in [map.y, map.cb, map.cr, map.add] {
      put(coefficients.map { Int32(truncatingIfNeeded: $0 >> shift) })
      put(coefficients.map { Int32($0 & (1 << shift - 1)) })
    }
    put([map.maximum])
    if let shaper = table.shaper {
      put([shaper.fractionBits, shaper.drop, shaper.maximum, Int32(shaper.pointsPerCurve)])
    } else {
      skip(4)
    }
    put([table.size, table.fractionBits] + Self.halves(table.yAdd))
    put([table.yShift, table.chromaDrop, table.chromaAdd, table.chromaShift])
  }

  /// Low word, high word.
  private static func halves(_ value: Int64) -> [Int32] {
    [Int32(truncatingIfNeeded: value), Int32(truncatingIfNeeded: value >> 32)]
  }
}

extension FrameFormat {
  /// The first byte of a plane when planes lie one after another; 0 for a missing plane.
  func start(plane: Int) -> Int { plane < planeCount ? (0..<plane).reduce(0) { $0 + planeBytes($1) } : 0 }
}
