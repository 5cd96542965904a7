import Color
package import Drawing
package import Frames

/// The views of a frame: itself, its waveform and its vectorscope.
package struct PictureView: Sendable {
  package let full: Picture
  package let small: Picture
  package let waveform: Picture
  package let vectorscope: Picture

  private static let smallWidth = 320

  package init(_ frame: borrowing Frame) {
    let samples = PictureSamples(frame)
    let (layout, color) = (frame.format.layout, frame.format.color)
    full = Picture(samples, layout: layout, color: color, width: samples.width)
    small = Picture(samples, layout: layout, color: color, width: PictureView.smallWidth)
    waveform = ScopePlot.waveform(samples, layout: layout, range: color.range)
    vectorscope = ScopePlot.vectorscope(samples, layout: layout, range: color.range, matrix: color.matrix)
  }
}
