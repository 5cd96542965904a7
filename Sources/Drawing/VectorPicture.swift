import Foundation
public import Frames

/// A drawing as the text of an SVG file.
public struct VectorPicture: DrawingSurface, Sendable {
  public let width: Int
  public let height: Int

  private enum Element {
    case markup(String)
    /// With its top left corner.
    case picture(Picture, x: Int, y: Int)
  }

  private var elements: [Element] = []

  init(width: Int, height: Int, _ color: SIMD3<Double>) {
    self.width = width
    self.height = height
    fill(0, 0, Double(width), Double(height), color)
  }

  /// The file's text.
  ///
  /// - Parameter png: makes a PNG of a picture.
  /// - Throws: what `png` throws.
  public func text(png: (Picture) throws(CamrecError) -> [UInt8]) throws(CamrecError) -> String {
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\""
        + " viewBox=\"0 0 \(width) \(height)\" font-family=\"sans-serif\">"
    ]
    for element in elements {
      switch element {
      case .markup(let markup): lines.append(markup)
      case .picture(let picture, let x, let y):
        let data = Data(try png(picture)).base64EncodedString()
        lines.append(
          "<image x=\"\(x)\" y=\"\(y)\" width=\"\(picture.width)\" height=\"\(picture.height)\""
            + " href=\"data:image/png;base64,\(data)\"/>")
      }
    }
    return lines.joined(separator: "\n") + "\n</svg>\n"
  }

  mutating func fill(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ color: SIMD3<Double>) {
    let (left, top) = (x0.rounded(), y0.rounded())
    let (width, height) = (Self.number(x1.rounded() - left), Self.number(y1.rounded() - top))
    elements.append(
      .markup(
        "<rect x=\"\(Self.number(left))\" y=\"\(Self.number(top))\" width=\"\(width)\" height=\"\(height)\""
          + " fill=\"\(Self.paint(color))\"/>"))
  }

  mutating func line(
    _ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, width: Double, _ color: SIMD3<Double>,
    _ blend: Picture.Blend
  ) {
    path([SIMD2(x0, y0), SIMD2(x1, y1)], width: width, color, blend)
  }

  mutating func path(_ points: [SIMD2<Double>], width: Double, _ color: SIMD3<Double>, _ blend: Picture.Blend) {
    let way = points.map { "\(Self.number($0.x)) \(Self.number($0.y))" }.joined(separator: "L")
    let style = blend == .lighten ? " style=\"mix-blend-mode:lighten\"" : ""
    elements.append(
      .markup(
        "<path d=\"M\(way)\" fill=\"none\" stroke=\"\(Self.paint(color))\" stroke-width=\"\(Self.number(width))\""
          + " stroke-linecap=\"round\" stroke-linejoin=\"round\"\(style)/>"))
  }

  mutating func write(
    _ text: String, _ x: Double, _ y: Double, height: Double, _ color: SIMD3<Double>, _ place: Picture.TextPlace
  ) {
    let anchor =
      switch place {
      case .starting: "start"
      case .around: "middle"
      case .ending: "end"
      }
    // Capitals of the usual sans-serif fonts are 0.72 of the font's size.
    elements.append(
      .markup(
        "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y + height))\" font-size=\"\(Self.number(height / 0.72))\""
          + " text-anchor=\"\(anchor)\" fill=\"\(Self.paint(color))\">\(Self.escaped(text))</text>"))
  }

  mutating func show(_ picture: Picture, _ x: Int, _ y: Int) { elements.append(.picture(picture, x: x, y: y)) }

  /// To a hundredth of a pixel.
  private static func number(_ value: Double) -> String {
    let hundredths = (value * 100).rounded() / 100
    return hundredths == hundredths.rounded() && hundredths.magnitude < 1e9 ? String(Int(hundredths)) : "\(hundredths)"
  }

  private static func paint(_ color: SIMD3<Double>) -> String {
    let codes = (0..<3).map { Int((255 * max(0, min(1, color[$0]))).rounded()) }
    return "rgb(\(codes[0]),\(codes[1]),\(codes[2]))"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
