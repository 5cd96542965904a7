import Color
import Frames
import TestKit

/// A frame in memory of its own with odd strides, and bytes around and between its rows that nobody may touch.
struct GuardedPicture: ~Copyable {
  private static let guardByte: UInt8 = 0xA5
  private static let margin = 67

  var frame: Frame
  private let memory: Memory

  /// `@unchecked Sendable`: the tests use one thread, and the kernels write through the frame only.
  private final class Memory: FrameOwner, @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer

    init(byteCount: Int) {
      bytes = .allocate(byteCount: byteCount, alignment: 64)
      for index in bytes.indices { bytes[index] = GuardedPicture.guardByte }
    }

    deinit { bytes.deallocate() }
    func frameEnded(_ storage: FrameStorage) {}
  }

  init(width: Int, height: Int, layout: PixelLayout, color: ColorDescription) {
    let strides = (0..<layout.planeCount).map { layout.rowBytes(plane: $0, width: width) + 2 * $0 + 5 }
    let format = FrameFormat(width: width, height: height, layout: layout, color: color, strides: strides)
    let memory = Memory(byteCount: format.byteCount + 4 * Self.margin)
    var offset = Self.margin
    let planes = (0..<layout.planeCount).map { plane in
      defer { offset += format.planeBytes(plane) + Self.margin }
      return memory.bytes.baseAddress! + offset
    }
    self.memory = memory
    frame = Frame(format: format, storage: FrameStorage(planes: planes), owner: memory)
  }

  /// Bytes outside the rows that have changed.
  func changedGuards() -> Int {
    var inside = Array(repeating: false, count: memory.bytes.count)
    let format = frame.format
    for plane in 0..<format.planeCount {
      let start = frame.storage.pointer(plane: plane) - UnsafeMutableRawPointer(memory.bytes.baseAddress!)
      for row in 0..<format.layout.rows(plane: plane, height: format.height) {
        let from = start + row * format.stride(plane: plane)
        for at in from..<from + format.layout.rowBytes(plane: plane, width: format.width) { inside[at] = true }
      }
    }
    return memory.bytes.indices.count { !inside[$0] && memory.bytes[$0] != Self.guardByte }
  }

  // MARK: Samples

  /// Plane, byte of the first sample in a row, bytes from one to the next; written down here once more, so that a
  /// slip in the kernels' own table shows.
  private static func places(_ layout: PixelLayout) -> [(plane: Int, first: Int, step: Int)] {
    switch layout {
    case .nv12: [(0, 0, 1), (1, 0, 2), (1, 1, 2)]
    case .nv21: [(0, 0, 1), (1, 1, 2), (1, 0, 2)]
    case .yuv420p, .yuv422p, .yuv444p: [(0, 0, 1), (1, 0, 1), (2, 0, 1)]
    case .yv12: [(0, 0, 1), (2, 0, 1), (1, 0, 1)]
    case .yuyv: [(0, 0, 2), (0, 1, 4), (0, 3, 4)]
    case .uyvy: [(0, 1, 2), (0, 0, 4), (0, 2, 4)]
    case .p010, .p210: [(0, 0, 2), (1, 0, 4), (1, 2, 4)]
    case .y210: [(0, 0, 4), (0, 2, 8), (0, 6, 8)]
    case .yuv420p10, .yuv422p10, .yuv444p10: [(0, 0, 2), (1, 0, 2), (2, 0, 2)]
    }
  }

  private func address(_ component: Int, row: Int, column: Int) -> UnsafeMutableRawPointer {
    let place = Self.places(frame.format.layout)[component]
    return frame.storage.pointer(plane: place.plane) + row * frame.format.stride(plane: place.plane) + place.first
      + column * place.step
  }

  private var wordShift: UInt16 {
    switch frame.format.layout {
    case .p010, .p210, .y210: 6
    default: 0
    }
  }

  private func put(_ codes: [Int], component: Int, width: Int) {
    for (index, code) in codes.enumerated() {
      let at = address(component, row: index / width, column: index % width)
      if frame.format.layout.bytesPerSample == 1 {
        at.storeBytes(of: UInt8(code), as: UInt8.self)
      } else {
        at.storeBytes(of: UInt16(code) << wordShift, as: UInt16.self)
      }
    }
  }

  private func get(component: Int, width: Int, height: Int) -> [Int] {
    (0..<width * height).map { index in
      let at = address(component, row: index / width, column: index % width)
      guard frame.format.layout.bytesPerSample == 2 else { return Int(at.load(as: UInt8.self)) }
      return Int(at.loadUnaligned(as: UInt16.self) >> wordShift)
    }
  }

  var samples: PictureSamples {
    get {
      let format = frame.format, chroma = format.layout.chroma
      let (columns, rows) = (chroma.samples(width: format.width), chroma.rows(height: format.height))
      return PictureSamples(
        width: format.width, height: format.height, chroma: format.layout.chroma,
        luma: get(component: 0, width: format.width, height: format.height),
        cb: get(component: 1, width: columns, height: rows), cr: get(component: 2, width: columns, height: rows))
    }
    nonmutating set {
      put(newValue.luma, component: 0, width: newValue.width)
      put(newValue.cb, component: 1, width: newValue.chromaWidth)
      put(newValue.cr, component: 2, width: newValue.chromaWidth)
    }
  }
}

extension PictureSamples {
  /// Every code of the depth is as likely as any other; black, white and the ends of the scale come in for certain.
  static func random(
    width: Int, height: Int, layout: PixelLayout, using random: inout SplitMix
  ) -> PictureSamples {
    let maximum = (1 << layout.bitDepth) - 1
    let blocks = layout.chroma.samples(width: width) * layout.chroma.rows(height: height)
    func codes(_ count: Int) -> [Int] {
      (0..<count).map { _ in
        switch Int.random(in: 0..<16, using: &random) {
        case 0: 0
        case 1: maximum
        case 2: (maximum + 1) / 2
        default: Int.random(in: 0...maximum, using: &random)
        }
      }
    }
    return PictureSamples(
      width: width, height: height, chroma: layout.chroma, luma: codes(width * height), cb: codes(blocks),
      cr: codes(blocks))
  }
}
