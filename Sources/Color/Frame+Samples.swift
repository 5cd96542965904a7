public import Frames

extension Frame {
  /// The luma samples row after row, the upper 8 bits of each.
  public borrowing func packedLuma() -> [UInt8] {
    let layout = format.layout
    return samples(of: layout.samplePlaces.luma, as: UInt8.self, shift: layout.codeShift + layout.bitDepth - 8)
  }

  /// One component's samples row after row, each shifted right by `shift` bits. The shifted samples must fit.
  borrowing func samples<Sample: FixedWidthInteger>(of place: SamplePlace, as sample: Sample.Type, shift: Int)
    -> [Sample]
  {
    format.layout.bytesPerSample == 2
      ? samples(of: place, in: UInt16.self, as: sample, shift: shift)
      : samples(of: place, in: UInt8.self, as: sample, shift: shift)
  }

  private borrowing func samples<Word: FixedWidthInteger & BitwiseCopyable, Sample: FixedWidthInteger>(
    of place: SamplePlace, in _: Word.Type, as _: Sample.Type, shift: Int
  ) -> [Sample] {
    let stride = format.stride(plane: place.plane)
    let wordBytes = Word.bitWidth / 8
    let (width, height) = place.size(in: format)
    let step = place.step &* wordBytes
    var samples = [Sample](repeating: 0, count: width * height)
    unsafe withPlane(place.plane) { plane in
      let bytes = unsafe plane.bytes
      var samples = samples.mutableSpan
      for y in 0..<height {
        let offset = y * stride + place.first * wordBytes, first = y * width
        for x in 0..<width {
          let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset &+ x &* step, as: Word.self)
          let code = Word(littleEndian: word) &>> Word(truncatingIfNeeded: shift)
          unsafe samples[unchecked: first &+ x] = Sample(truncatingIfNeeded: code)
        }
      }
    }
    return samples
  }
}
