public import Frames

/// Chooses one of a camera's modes for a request. Pure: the same offers and request give the same choice.
///
/// Without a request: 24 frames per second if any size up to 1920×1080 has them, else the highest rate up to 30; the
/// largest size with that rate; and a format that the bake reads directly before one that must be repacked, decoded or
/// converted, with equal ones in the camera's own order. A request narrows this choice. If the camera cannot meet it,
/// the error names the nearest mode, unless the request accepts the nearest.
public struct ModeSelection: Hashable, Sendable {
  public let format: OfferedFormat
  public let size: PictureSize
  public let rate: FrameRate
  /// Warnings about differences from the request.
  public private(set) var warnings: [String]

  /// - Parameters:
  ///   - modes: what the camera offers, in its own order.
  ///   - camera: its name for messages.
  /// - Throws: code `usage` if the camera does not offer the request, `device` if it has no readable format.
  public init(from modes: [CameraMode], request: CameraRequest, camera: String) throws(CamrecError) {
    let ordered = try ModeSelection.withAskedFormat(modes, request, camera)
    var warnings: [String] = []
    let sized = try ModeSelection.withAskedSize(ordered, request, camera, &warnings)
    let rate = try ModeSelection.rate(sized, request, camera, &warnings)
    let fitting = sized.filter { $0.rates.nearest(to: rate) == rate }
    // `rate` is one that a mode of `sized` offers.
    guard let size = ModeSelection.inOrderOfSize(fitting).first?.size,
      let best = fitting.filter({ $0.size == size }).min(by: { $0.format.route < $1.format.route })
    else { throw CamrecError(.device, "\(camera) offers no frame rate that camrec can record (up to 1000 per second)") }
    (self.format, self.size, self.rate, self.warnings) = (best.format, size, rate, warnings)
  }

  /// Compares the rate that a camera really set with the requested one.
  ///
  /// - Parameters:
  ///   - asked: the requested rate; `nil` accepts any.
  ///   - size: the requested size, if there is one: the rates are those of this size.
  ///   - isChange: as in `CameraRequest`.
  /// - Returns: a warning, or `nil`.
  /// - Throws: code `usage` if the rates differ by more than 0.1 % and the request does not accept the nearest.
  public static func judge(
    rate set: FrameRate, asked: FrameRate?, size: PictureSize?, nearest: Bool, isChange: Bool = false, camera: String
  ) throws(CamrecError) -> String? {
    guard let asked, asked != set else { return nil }
    guard asked.isNear(set) || nearest else {
      throw CamrecError(
        .usage, about: .fps,
        "\(camera) does not offer \(asked.spoken) frames per second\(size.map { " at \($0)" } ?? "") "
          + "(nearest: \(set.spoken)); use \(setting: .fps) \(set)"
          + (isChange ? "" : " or \(setting: .nearest)"), reason: .notOffered)
    }
    return "\(camera) offers \(set.spoken) frames per second, not \(asked.spoken); it records at \(set.spoken)"
  }

  /// Compares the size that a camera really set with the one that was chosen from its offers.
  ///
  /// - Parameter isAsked: a size was requested; otherwise any size is accepted silently.
  /// - Returns: a warning, or `nil`.
  /// - Throws: code `device` if the sizes differ and the request does not accept the nearest.
  public static func judge(
    size set: PictureSize, chosen: PictureSize, isAsked: Bool, nearest: Bool, format: String, camera: String
  ) throws(CamrecError) -> String? {
    guard isAsked, set != chosen else { return nil }
    guard nearest else {
      throw CamrecError(
        .device, about: .size,
        "\(camera) offers \(format) at \(chosen) but sets \(set); use \(setting: .size) \(set) or another "
          + "\(setting: .pixelFormat)", reason: .notOffered)
    }
    return "\(camera) offers \(format) at \(chosen) but sets \(set); it records \(set)"
  }

  // MARK: - Narrowing

  private static func withAskedFormat(
    _ modes: [CameraMode], _ request: CameraRequest, _ camera: String
  ) throws(CamrecError) -> [CameraMode] {
    let readable = modes.filter { $0.format.route != .unreadable }
    guard !readable.isEmpty else {
      let names = list(modes.map(\.format.name))
      throw CamrecError(
        .device,
        names.isEmpty
          ? "\(camera) lists no pixel formats; a camera that needs libcamera (MIPI, Raspberry Pi CSI) is not supported"
          : "\(camera) offers no pixel format that camrec reads; it has \(names)")
    }
    guard let asked = request.pixelFormat?.lowercased() else { return readable }
    for matching in [readable.filter { $0.format.name == asked }, readable.filter { $0.format.names.contains(asked) }]
    where !matching.isEmpty { return matching }
    let offered = list(readable.map(\.format.name))
    guard !modes.contains(where: { $0.format.names.contains(asked) }) else {
      throw CamrecError(
        .usage, about: .pixelFormat, "camrec cannot read pixel format \(asked) from \(camera); use one of \(offered)",
        reason: .notOffered)
    }
    throw CamrecError(
      .usage, about: .pixelFormat, "\(camera) does not offer pixel format \(asked); it offers \(offered)",
      reason: .notOffered)
  }

  private static func withAskedSize(
    _ modes: [CameraMode], _ request: CameraRequest, _ camera: String, _ warnings: inout [String]
  ) throws(CamrecError) -> [CameraMode] {
    guard let asked = request.size else { return modes }
    let exact = modes.filter { $0.size == asked }
    guard exact.isEmpty else { return exact }
    let sizes = modes.map(\.size)
    guard let nearest = sizes.min(by: { $0.distance(to: asked) < $1.distance(to: asked) }) else { return [] }
    let format = request.pixelFormat.map { " in \($0)" } ?? ""
    guard request.nearest else {
      throw CamrecError(
        .usage, about: .size,
        "\(camera) does not offer \(asked)\(format) (nearest: \(nearest)); use \(setting: .size) \(nearest)"
          + request.unlessChange(" or \(setting: .nearest)"), reason: .notOffered)
    }
    warnings.append("\(camera) does not offer \(asked)\(format); it records \(nearest), the nearest")
    return modes.filter { $0.size == nearest }
  }

  private static func rate(
    _ modes: [CameraMode], _ request: CameraRequest, _ camera: String, _ warnings: inout [String]
  ) throws(CamrecError) -> FrameRate {
    if let asked = request.frameRate {
      let offered = modes.compactMap { $0.rates.nearest(to: asked) }
      guard let nearest = offered.min(by: { asked.octaves(to: $0) < asked.octaves(to: $1) }) else { return asked }
      if let warning = try judge(
        rate: nearest, asked: asked, size: request.size, nearest: request.nearest, isChange: request.isChange,
        camera: camera)
      { warnings.append(warning) }
      return nearest
    }
    let usual = modes.filter { request.size != nil || $0.size.fits(.defaultLimit) }
    let pool = usual.isEmpty ? Array(inOrderOfSize(modes).prefix(1)) : usual
    if pool.contains(where: { $0.rates.nearest(to: cinema) == cinema }) { return cinema }
    let rates = pool.compactMap { $0.rates.highest(upTo: highestDefault) }
    return rates.filter { $0 <= highestDefault }.max() ?? rates.min() ?? cinema
  }

  /// Sizes up to 1920×1080 first, from the largest down; then larger sizes, from the smallest up.
  private static func inOrderOfSize(_ modes: [CameraMode]) -> [CameraMode] {
    modes.sorted { a, b in
      switch (a.size.fits(.defaultLimit), b.size.fits(.defaultLimit)) {
      case (true, false): true
      case (false, true): false
      case (true, true): a.size.area > b.size.area
      case (false, false): a.size.area < b.size.area
      }
    }
  }

  private static func list(_ names: [String]) -> String {
    names.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: ", ")
  }

  private static let cinema = rate(24)
  private static let highestDefault = rate(30)

  private static func rate(_ whole: Int64) -> FrameRate {
    guard let rate = FrameRate(Rational(whole)) else { preconditionFailure("\(whole) is a frame rate") }
    return rate
  }
}
