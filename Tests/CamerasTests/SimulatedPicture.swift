import Cameras
import Foundation
import Frames

/// A frame of the simulated camera taken apart: its components as numbers, in the order of the pixels.
struct SimulatedPicture {
  let width: Int
  let height: Int
  let layout: PixelLayout
  let color: ColorDescription
  let sequence: UInt64
  let captureTime: MonotonicTime
  /// Every byte, plane after plane, without the padding of the rows.
  let bytes: [UInt8]

  private let rowBytes: [Int]
  private let planeStarts: [Int]

  init(_ frame: borrowing Frame, sequence: UInt64, captureTime: MonotonicTime) {
    let format = frame.format
    (width, height, layout, color) = (format.width, format.height, format.layout, format.color)
    self.sequence = sequence
    self.captureTime = captureTime
    var bytes: [UInt8] = []
    var starts: [Int] = []
    var rowBytes: [Int] = []
    for plane in 0..<format.planeCount {
      starts.append(bytes.count)
      let row = format.layout.rowBytes(plane: plane, width: format.width)
      let stride = format.stride(plane: plane)
      rowBytes.append(row)
      frame.withPlane(plane) { memory in
        for y in 0..<format.layout.rows(plane: plane, height: format.height) {
          bytes.append(contentsOf: memory[y * stride..<y * stride + row])
        }
      }
    }
    (self.bytes, planeStarts, self.rowBytes) = (bytes, starts, rowBytes)
  }

  /// Code values of one component, 0 luma, 1 Cb, 2 Cr, at its own position (x, y).
  func code(_ component: Int, _ x: Int, _ y: Int) -> Int {
    let (plane, index): (Int, Int) =
      switch layout {
      case .nv12, .p010, .p210: component == 0 ? (0, x) : (1, 2 * x + component - 1)
      case .nv21: component == 0 ? (0, x) : (1, 2 * x + 2 - component)
      case .yuv420p, .yuv422p, .yuv420p10, .yuv422p10, .yuv444p, .yuv444p10: (component, x)
      case .yv12: ([0, 2, 1][component], x)
      case .yuyv, .y210: (0, [2 * x, 4 * x + 1, 4 * x + 3][component])
      case .uyvy: (0, [2 * x + 1, 4 * x, 4 * x + 2][component])
      }
    let start = planeStarts[plane] + y * rowBytes[plane]
    guard layout.bitDepth == 10 else { return Int(bytes[start + index]) }
    let word = Int(bytes[start + 2 * index]) | Int(bytes[start + 2 * index + 1]) << 8
    return [.p010, .p210, .y210].contains(layout) ? word >> 6 : word
  }

  /// All codes of one component in an area of the picture.
  func codes(_ component: Int, _ area: SimulatedChart.Area) -> [Double] {
    let wide = component == 0 ? 1 : 2
    let high = component > 0 && layout.chroma == .yuv420 ? 2 : 1
    return (area.rows.lowerBound / high..<area.rows.upperBound / high).flatMap { y in
      (area.columns.lowerBound / wide..<area.columns.upperBound / wide).map { Double(code(component, $0, y)) }
    }
  }

  /// The luma in 8 bits.
  var luma: [UInt8] {
    let shift = layout.bitDepth - 8
    return (0..<height).flatMap { y in (0..<width).map { UInt8(code(0, $0, y) >> shift) } }
  }

  /// Asks a pulled camera for its next frames.
  static func take(_ count: Int, from camera: SimulatedCamera) throws -> [SimulatedPicture] {
    var pictures: [SimulatedPicture] = []
    while pictures.count < count {
      switch try camera.next() {
      case .frame(let captured):
        let (sequence, time) = (captured.sequence, captured.captureTime)
        guard case .frame(let frame) = captured.takeImage() else { continue }
        pictures.append(SimulatedPicture(frame, sequence: sequence, captureTime: time))
      case .damaged: continue
      case .nothing: continue
      case .ended: return pictures
      }
    }
    return pictures
  }

  /// The first frames of a pulled camera.
  static func take(
    _ count: Int, _ options: String = "", width: Int = 480, height: Int = 270, rate: String = "24",
    format: String = "nv12"
  ) throws -> [SimulatedPicture] {
    let camera = try pulled(options, width: width, height: height, rate: rate, format: format)
    try camera.start()
    return try take(count, from: camera)
  }

  static func pulled(
    _ options: String = "", width: Int = 480, height: Int = 270, rate: String = "24", format: String = "nv12",
    frames: Int = 2
  ) throws -> SimulatedCamera {
    try SimulatedCamera(
      SimulatedCamera.Options(parsing: options),
      request: CameraRequest(width: width, height: height, frameRate: FrameRate(parsing: rate), pixelFormat: format),
      clock: SimulatedClock(pace: .pulled), frames: frames)
  }
}

extension [Double] {
  var mean: Double { reduce(0, +) / Double(count) }
  var variance: Double {
    let mean = mean
    return map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(count - 1)
  }
}
