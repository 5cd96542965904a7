public import Frames

extension PictureSamples {
  /// The code values of a frame of any layout.
  public init(_ frame: borrowing Frame) {
    let format = frame.format
    let places = format.layout.samplePlaces
    let isWide = format.layout.bytesPerSample == 2
    func codes(_ place: SamplePlace) -> [Int] {
      isWide
        ? PictureSamples.codes(of: place, as: UInt16.self, in: frame)
        : PictureSamples.codes(of: place, as: UInt8.self, in: frame)
    }
    self.init(
      width: format.width, height: format.height, chroma: format.layout.chroma, luma: codes(places.luma),
      cb: codes(places.cb), cr: codes(places.cr))
  }

  private static func codes<Word: FixedWidthInteger & BitwiseCopyable>(
    of place: SamplePlace, as _: Word.Type, in frame: borrowing Frame
  ) -> [Int] {
    let format = frame.format
    let stride = format.stride(plane: place.plane)
    let shift = format.layout.codeShift
    let wordBytes = Word.bitWidth / 8
    let (width, height) = place.size(in: format)
    var codes: [Int] = []
    codes.reserveCapacity(width * height)
    unsafe frame.withPlane(place.plane) { plane in
      let bytes = unsafe plane.bytes
      for y in 0..<height {
        var offset = y * stride + place.first * wordBytes
        for _ in 0..<width {
          let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Word.self)
          codes.append(Int(Word(littleEndian: word)) >> shift)
          offset += place.step * wordBytes
        }
      }
    }
    return codes
  }
}
