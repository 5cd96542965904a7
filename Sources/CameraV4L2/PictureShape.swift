package import Cameras
package import Frames

/// How the frames of a configured camera lie in its buffers.
package struct PictureShape: Hashable, Sendable {
  /// The driver's settings: sizes in pixels, and the bytes per row of each plane that has memory of its own.
  package struct Setting: Hashable, Sendable {
    package var width: Int
    package var height: Int
    package var rowBytes: [Int]

    package init(width: Int, height: Int, rowBytes: [Int]) {
      self.width = width
      self.height = height
      self.rowBytes = rowBytes
    }
  }

  package let width: Int
  package let height: Int
  package let image: CameraImageFormat
  /// The format of frames that the bake reads directly, else `nil`.
  package let frameFormat: FrameFormat?
  /// Bytes from row to row of an encoded frame; 0 if it has no rows.
  package let stride: Int
  /// For each plane of a frame: its memory, and its offset there.
  package let planes: [Place]
  /// The least bytes that a buffer must hold, per memory.
  package let memory: PlaneBytes
  /// The least bytes of a whole frame, per memory.
  package let needed: PlaneBytes

  package struct Place: Hashable, Sendable {
    package let memory: Int
    package let offset: Int
  }

  /// - Throws: code `device` for rows that are too short for the format.
  package init(
    _ setting: Setting, format: V4L2PixelFormat, color: ColorDescription, camera: String
  ) throws(CamrecError) {
    width = setting.width
    height = setting.height
    guard let layout = format.layout else {
      image = .encoded(format.offered.code)
      frameFormat = nil
      stride = format.isJPEG || format.offered.route == .vendor ? 0 : setting.rowBytes[0]
      planes = [Place(memory: 0, offset: 0)]
      memory = PlaneBytes(1)
      needed = PlaneBytes(1)
      return
    }
    let strides = PictureShape.strides(setting, layout)
    for (plane, stride) in strides.enumerated() {
      let row = layout.rowBytes(plane: plane, width: setting.width)
      guard stride >= row else {
        throw CamrecError(
          .device, about: .size,
          "\(camera) sets rows of \(stride) bytes for plane \(plane) of \(format.offered.name) at "
            + "\(setting.width)x\(setting.height), which needs \(row); choose another \(setting: .size) or "
            + "\(setting: .pixelFormat)")
      }
    }
    let frame = FrameFormat(
      width: setting.width, height: setting.height, layout: layout, color: color, strides: strides)
    var places: [Place] = [], whole = [0, 0, 0], least = [0, 0, 0]
    for plane in 0..<layout.planeCount {
      let memory = setting.rowBytes.count > 1 ? plane : 0
      places.append(Place(memory: memory, offset: whole[memory]))
      // The last row need not be padded.
      let padding = strides[plane] - layout.rowBytes(plane: plane, width: setting.width)
      least[memory] = whole[memory] + frame.planeBytes(plane) - padding
      whole[memory] += frame.planeBytes(plane)
    }
    image = .raw(layout)
    frameFormat = frame
    stride = strides[0]
    planes = places
    memory = PlaneBytes(whole[0], whole[1], whole[2])
    needed = PlaneBytes(least[0], least[1], least[2])
  }

  /// If all planes share one memory, V4L2 states the luma's row length and derives the others from it: interleaved
  /// chroma has rows of the same length, separate chroma planes have rows of half the length.
  private static func strides(_ setting: Setting, _ layout: PixelLayout) -> [Int] {
    func stated(_ plane: Int) -> Int {
      let bytes = plane < setting.rowBytes.count ? setting.rowBytes[plane] : 0
      return bytes > 0 ? bytes : layout.rowBytes(plane: plane, width: setting.width)
    }
    guard setting.rowBytes.count == 1 else { return (0..<layout.planeCount).map(stated) }
    let luma = stated(0)
    return (0..<layout.planeCount).map { $0 == 0 || layout.planeCount == 2 ? luma : luma / 2 }
  }
}
