import Foundation

/// How much of the picture is shown, and which part of it.
public struct PictureZoom: Hashable, Sendable {
  public enum Scale: Hashable, Sendable {
    /// All of it, as large as it fits.
    case fit
    /// A pixel of the frame is one of the window.
    case full
    /// So many times as large as it fits, above 1.
    case times(Double)
  }

  public var scale: Scale
  /// The middle of what is shown, as parts of the picture.
  public var x, y: Double

  public init(_ scale: Scale = .fit, x: Double = 0.5, y: Double = 0.5) {
    self.scale = scale
    self.x = x
    self.y = y
  }

  /// A pixel of the frame is at most so many of the window.
  static let largestPixel = 8.0
  /// One click of the wheel.
  static let step = 1.25

  /// Where a picture of a frame is shown.
  ///
  /// - Parameter frame: its upright size in pixels.
  public func view(of frame: FrameExtent, in area: ViewRect) -> PictureView {
    let fit = area.fit(shape: frame.shape)
    guard !fit.isEmpty else { return PictureView(target: fit, part: .whole) }
    switch scale {
    case .fit: return PictureView(target: fit, part: .whole)
    case .times(let times):
      let share = 1 / max(1, times)
      return PictureView(
        target: fit, part: PicturePart(x: x - share / 2, y: y - share / 2, width: share, height: share))
    case .full:
      let target = area.center(width: min(frame.width, area.width & ~1), height: min(frame.height, area.height & ~1))
      // Chroma is shared by two pixels each way: the part begins on even ones.
      func start(_ middle: Double, _ count: Int, _ shown: Int) -> Double {
        let start = 2 * Int(((middle * Double(count) - Double(shown) / 2) / 2).rounded())
        return Double(min(max(0, start), count - shown)) / Double(count)
      }
      return PictureView(
        target: target,
        part: PicturePart(
          x: start(x, frame.width, target.width), y: start(y, frame.height, target.height),
          width: Double(target.width) / Double(frame.width), height: Double(target.height) / Double(frame.height)))
    }
  }

  /// After so many clicks of the wheel over a point of the window: what is there stays there.
  ///
  /// - Parameter clicks: above 0 for larger.
  func turned(_ clicks: Double, over point: ViewPoint, _ frame: FrameExtent, in area: ViewRect) -> PictureZoom {
    let fit = area.fit(shape: frame.shape), view = view(of: frame, in: area)
    guard !fit.isEmpty, !view.target.isEmpty else { return self }
    let most = max(1, PictureZoom.largestPixel * Double(frame.width) / Double(fit.width))
    let now = Double(view.target.width) / view.part.width / Double(fit.width)
    let times = min(most, max(1, now) * pow(PictureZoom.step, clicks))
    guard times > 1.001 else { return PictureZoom() }
    let under = view.place(of: point), share = 1 / times
    let (right, down) = (
      Double(point.x - fit.x) / Double(fit.width), Double(point.y - fit.y) / Double(fit.height)
    )
    let part = PicturePart(
      x: under.x - right * share, y: under.y - down * share, width: share, height: share)
    return PictureZoom(.times(times), x: part.x + share / 2, y: part.y + share / 2)
  }

  /// After the picture has been dragged by so many pixels of the window, from its place when the drag began.
  func dragged(_ right: Int, _ down: Int, _ frame: FrameExtent, in area: ViewRect) -> PictureZoom {
    let view = view(of: frame, in: area)
    guard !view.target.isEmpty, scale != .fit else { return self }
    // From what is shown, which may be nearer to the middle than what was asked for.
    let part = PicturePart(
      x: view.part.x - Double(right) * view.part.width / Double(view.target.width),
      y: view.part.y - Double(down) * view.part.height / Double(view.target.height),
      width: view.part.width, height: view.part.height)
    return PictureZoom(scale, x: part.x + part.width / 2, y: part.y + part.height / 2)
  }
}

/// The size of an upright frame in pixels.
public struct FrameExtent: Hashable, Sendable {
  public let width, height: Int

  public init(width: Int, height: Int) {
    self.width = max(1, width)
    self.height = max(1, height)
  }

  /// Width through height.
  var shape: Double { Double(width) / Double(height) }
}

/// Where a part of a picture is shown in the window.
public struct PictureView: Hashable, Sendable {
  public var target: ViewRect
  public var part: PicturePart

  /// Which point of the whole picture is shown at a point of the window, as parts of the picture.
  func place(of point: ViewPoint) -> (x: Double, y: Double) {
    let right = Double(point.x - target.x) / Double(max(1, target.width))
    let down = Double(point.y - target.y) / Double(max(1, target.height))
    return (part.x + right * part.width, part.y + down * part.height)
  }

  /// What a picture of another part shows of this one: which part of that picture, and where.
  ///
  /// - Returns: `nil` if it shows nothing of it.
  func showing(_ had: PicturePart) -> (source: PicturePart, target: ViewRect)? {
    guard had != part else { return (.whole, target) }
    guard let common = had.intersection(part) else { return nil }
    let place = part.place(of: common)
    func pixel(_ share: Double, _ length: Int) -> Int { Int((share * Double(length)).rounded()) }
    let (left, top) = (pixel(place.x, target.width), pixel(place.y, target.height))
    return (
      had.place(of: common),
      ViewRect(
        x: target.x + left, y: target.y + top, width: pixel(place.x + place.width, target.width) - left,
        height: pixel(place.y + place.height, target.height) - top)
    )
  }
}
