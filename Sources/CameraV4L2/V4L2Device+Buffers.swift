import CV4L2
import Frames

extension V4L2Device {
  /// Makes the driver allocate buffers, and maps them.
  func claimBuffers(
    _ wanted: Int, _ shape: PictureShape, _ stream: DeviceStream
  ) throws(CamrecError) -> (buffers: LentBuffers, isMonotonic: Bool) {
    var count = UInt32(clamping: wanted)
    let memory = MappedMemory()
    var buffers: [BufferMemory] = []
    var isMonotonic = true
    try explained { () throws(V4L2CallError) in
      try V4L2Call.perform("VIDIOC_REQBUFS") { cv4l2_reqbufs(descriptor, bufferType, &count) }
    }
    guard count > 0 else {
      throw CamrecError(.device, about: .size, "\(name) provides no buffers; choose a smaller \(setting: .size)")
    }
    for index in 0..<count {
      var mapping = cv4l2_mapping()
      try explained { () throws(V4L2CallError) in
        try V4L2Call.perform("VIDIOC_QUERYBUF") { cv4l2_querybuf(descriptor, bufferType, index, &mapping) }
      }
      isMonotonic = BufferFlags(mapping.flags).isMonotonic
      let lengths = PlaneBytes(Int(mapping.length.0), Int(mapping.length.1), Int(mapping.length.2))
      guard lengths.covers(shape.memory) else {
        throw CamrecError(
          .device, about: .size,
          "\(name) provides buffers of \(lengths.first) bytes for frames of \(shape.memory.first) bytes; choose "
            + "another \(setting: .size) or \(setting: .pixelFormat)")
      }
      let starts = try explained { () throws(V4L2CallError) in try memory.map(mapping, of: descriptor) }
      buffers.append(BufferMemory(starts: starts, lengths: lengths))
    }
    return (LentBuffers(memory: buffers, shape: shape, port: stream) { memory.unmap() }, isMonotonic)
  }
}
