import CKernels
import Frames

extension FrameStorage {
  /// The planes in the form that the kernels take.
  func picture(_ format: FrameFormat) -> ck_picture {
    func plane(_ index: Int) -> ck_plane {
      guard index < format.planeCount else { return ck_plane() }
      return ck_plane(
        data: pointer(plane: index).assumingMemoryBound(to: UInt8.self), stride: format.stride(plane: index))
    }
    return ck_picture(planes: (plane(0), plane(1), plane(2)))
  }
}

extension FrameFormat {
  /// Whether frames of both have samples at the same places, but for their strides.
  func hasShape(of other: FrameFormat) -> Bool {
    width == other.width && height == other.height && layout == other.layout
  }
}
