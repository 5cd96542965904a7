package import Cameras

/// Digital zoom by the selection crop: the cropped part of the sensor, enlarged to the frame's size.
package struct DigitalZoom: Sendable {
  private let areas: CropAreas

  /// The smallest crop in pixels, each way.
  private static let smallest = 16

  /// - Returns: `nil` if the areas are empty or cannot be cropped.
  package init?(_ areas: CropAreas) {
    guard areas.current.width > 0, areas.current.height > 0,
      min(areas.whole.width, areas.whole.height) > DigitalZoom.smallest
    else { return nil }
    self.areas = areas
  }

  /// The present factor, from the width.
  package var factor: Double { Double(areas.whole.width) / Double(areas.current.width) }

  /// The driver does not report its largest factor. If asked for too much, it uses less, and that is read back.
  package var offer: ControlOffer {
    let most = Double(min(areas.whole.width, areas.whole.height)) / Double(DigitalZoom.smallest)
    return ControlOffer(
      .digitalZoom, .number(minimum: 1, maximum: most.rounded(.down), step: 0), defaultValue: .number(1))
  }

  /// The crop for `factor`, with the same centre as the present one.
  package func area(for factor: Double) -> CropArea {
    let width = Int((Double(areas.whole.width) / factor).rounded())
    let height = Int((Double(areas.whole.height) / factor).rounded())
    let (now, bounds) = (areas.current, areas.bounds)
    let left = now.left + (now.width - width) / 2, top = now.top + (now.height - height) / 2
    return CropArea(
      left: min(max(left, bounds.left), max(bounds.left, bounds.left + bounds.width - width)),
      top: min(max(top, bounds.top), max(bounds.top, bounds.top + bounds.height - height)), width: width,
      height: height)
  }
}
