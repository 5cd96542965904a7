public import Bake
public import Frames

/// How pictures are made of a camera's frames for whoever looks: upright, and with the film's colours.
public struct LiveView: Sendable {
  /// Turns a frame upright.
  public var rotation: Rotation
  /// What the codes of captured frames mean, once they are decoded.
  public var color: ColorDescription
  /// What an image file says it was made with: `camrec 1.2.3`.
  public var software: String
  /// The same with the look, for graded pictures: `camrec 1.2.3, look …`; `nil` if they have none.
  public var softwareWithLook: String?
  /// Graded pictures have other colours than captured ones: there is a LUT or a look.
  public var isGraded: Bool
  /// Decodes encoded images; `nil` for raw frames. A new converter for each caller.
  ///
  /// - Throws: code `device` for images that cannot be converted.
  public var makeConverter: @Sendable () throws(CamrecError) -> (any ImageConverter)?
  /// Bakes captured frames as films are baked, on the caller's thread. A new baker for each caller.
  ///
  /// - Throws: the errors of `Baker.init`.
  public var makeBaker: @Sendable () throws(CamrecError) -> Baker

  public init(
    rotation: Rotation, color: ColorDescription, software: String, softwareWithLook: String?, isGraded: Bool,
    makeConverter: @escaping @Sendable () throws(CamrecError) -> (any ImageConverter)?,
    makeBaker: @escaping @Sendable () throws(CamrecError) -> Baker
  ) {
    self.rotation = rotation
    self.color = color
    self.software = software
    self.softwareWithLook = softwareWithLook
    self.isGraded = isGraded
    self.makeConverter = makeConverter
    self.makeBaker = makeBaker
  }
}
