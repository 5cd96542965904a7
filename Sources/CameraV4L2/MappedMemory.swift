import CV4L2

/// The driver's buffers, mapped into this process.
///
/// `@unchecked Sendable`: filled by the thread that opens the camera, emptied once when its last user is gone.
final class MappedMemory: @unchecked Sendable {
  private var regions: [UnsafeMutableRawBufferPointer] = []

  deinit { unmap() }

  /// Maps the planes of one buffer and returns the start of each.
  func map(_ mapping: cv4l2_mapping, of descriptor: Int32) throws(V4L2CallError) -> [UnsafeMutableRawPointer] {
    let lengths = [mapping.length.0, mapping.length.1, mapping.length.2]
    let offsets = [mapping.offset.0, mapping.offset.1, mapping.offset.2]
    var starts: [UnsafeMutableRawPointer] = []
    for plane in 0..<min(Int(mapping.planes), lengths.count) {
      let start = try V4L2Call.unwrap("mmap") { cv4l2_map(descriptor, lengths[plane], offsets[plane]) }
      regions.append(UnsafeMutableRawBufferPointer(start: start, count: Int(lengths[plane])))
      starts.append(start)
    }
    return starts
  }

  func unmap() {
    for region in regions { _ = cv4l2_unmap(region.baseAddress, region.count) }
    regions = []
  }
}
