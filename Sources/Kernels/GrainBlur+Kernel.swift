import CKernels

extension GrainBlur {
  /// Puts the blur into a grain that is being prepared.
  func fill(_ grain: inout ck_grain) {
    grain.radius = Int32(weights.count - 1)
    withUnsafeMutableBytes(of: &grain.weights) { bytes in
      let room = bytes.bindMemory(to: Int16.self)
      for (index, weight) in weights.enumerated() { room[index] = weight }
    }
  }
}
