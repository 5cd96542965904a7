public import Frames

extension PictureSamples {
  /// The code values of a frame of any layout.
  public init(_ frame: borrowing Frame) {
    let format = frame.format
    let places = format.layout.samplePlaces
    let shift = format.layout.codeShift
    self.init(
      width: format.width, height: format.height, chroma: format.layout.chroma,
      luma: frame.samples(of: places.luma, as: Int.self, shift: shift),
      cb: frame.samples(of: places.cb, as: Int.self, shift: shift),
      cr: frame.samples(of: places.cr, as: Int.self, shift: shift))
  }
}
