import Bake
import Cameras
import Frames
import Recorder

/// The latest frames of one camera for whoever looks: decoded, and graded as films are.
///
/// Thread: one.
final class ViewedCamera {
  /// Which frames are wanted.
  struct Kinds: OptionSet {
    let rawValue: Int

    /// As the camera sends them.
    static let captured = Kinds(rawValue: 1)
    /// As films have them: with LUT and look.
    static let graded = Kinds(rawValue: 2)
  }

  /// Gets a frame that is valid during the call, and what is known of it.
  typealias Use = (_ isGraded: Bool, _ facts: TappedFrame, _ frame: borrowing Frame) throws(CamrecError) -> Void
  /// Gets an encoded image; returns whether that is enough, and it need not be decoded.
  typealias ImageUse = (_ facts: TappedFrame, _ encoding: FourCC, _ bytes: [UInt8]) -> Bool

  /// What outlives a look: what grading has prepared and, of a camera that has gone away, the tap with its last frame.
  ///
  /// Thread: one.
  final class Remains {
    let camera: SeenCamera
    private var converter: (any ImageConverter)?
    private var baker: Baker?

    var tap: FrameTap { camera.tap }
    var view: LiveView { camera.view }
    var name: String { camera.name }
    var format: CameraFormat { camera.format }

    init(_ camera: SeenCamera) { self.camera = camera }

    /// Turns the camera's encoded images into frames.
    ///
    /// - Throws: code `defect` if there is none; the errors of making it.
    func decoder() throws(CamrecError) -> any ImageConverter {
      if let converter { return converter }
      guard let new = try view.makeConverter() else {
        throw CamrecError(.defect, "there is no converter for the images of \(name)")
      }
      converter = new
      return new
    }

    /// Grades frames as films are.
    ///
    /// - Throws: the errors of making a baker.
    func grading() throws(CamrecError) -> Baker {
      if let baker { return baker }
      let new = try view.makeBaker()
      baker = new
      return new
    }

    /// Frees what grading has prepared; it is made again when it is needed.
    func freePrepared() { (converter, baker) = (nil, nil) }
  }

  /// Whether a frame is wanted, before it is decoded and graded.
  typealias Wish = (_ isGraded: Bool, _ facts: TappedFrame) -> Bool

  let remains: Remains
  /// `nil` if the camera has gone away.
  private let session: CameraSession?
  /// Present while their slots are wanted, so that nothing is copied for nobody.
  private var captured: TapReader?
  private var baked: TapReader?
  /// Whether frames are used from a copy: their use may take long, and others look at the same camera.
  private let copies: Bool
  private var copy: [UInt8] = []

  var view: LiveView { remains.view }
  var hasEnded: Bool { session?.hasEnded ?? true }
  /// The exposure fits the light, as far as the camera allows.
  var isExposed: Bool { session?.isExposed ?? true }
  /// A film or a pre-roll gets its frames.
  var isRecorded: Bool { session?.isRecorded ?? false }
  /// When its last frame came; `nil`: none has, or it has gone away.
  var lastFrame: MonotonicTime? { session?.lastFrame }

  /// - Parameters:
  ///   - copies: uses frames from a copy.
  ///   - former: of an earlier look; used if it was at the same camera.
  /// - Throws: code `device` for a camera that nobody can look at.
  init(_ session: CameraSession, copies: Bool, after former: Remains? = nil) throws(CamrecError) {
    guard let view = session.view else {
      throw CamrecError(.device, "\(session.camera.name) has no pictures to look at; record it instead")
    }
    self.session = session
    self.copies = copies
    remains = if let former, former.tap === session.tap { former } else { Remains(SeenCamera(session, view)) }
  }

  /// The last frame of a camera that has gone away.
  init(_ remains: Remains) {
    session = nil
    copies = true
    self.remains = remains
  }

  /// Waits for the next frame, and uses it: as the camera sent it, graded, or both.
  ///
  /// - Parameters:
  ///   - seconds: to wait at most, for each kind; 0 only looks.
  ///   - isWanted: asked before a frame is decoded, and graded.
  ///   - useImage: gets an encoded image before it is decoded.
  /// - Returns: whether a frame came.
  /// - Throws: code `device` for images that cannot be decoded, and for a tap with too many readers; the errors of
  ///   making converters and bakers, and those of `use`.
  func next(
    _ kinds: Kinds, within seconds: Double, if isWanted: Wish = { _, _ in true }, useImage: ImageUse? = nil,
    _ use: Use
  ) throws(CamrecError) -> Bool {
    let isBaked = kinds.contains(.graded) && (session == nil ? hasNewerBaked : isRecorded)
    var capturedKinds = kinds
    if isBaked { capturedKinds.remove(.graded) }
    if capturedKinds.isEmpty { captured = nil }
    if !isBaked { baked = nil }
    var hasCome = false
    if !capturedKinds.isEmpty {
      let reader = try ViewedCamera.reader(&captured, of: remains.tap.captured)
      let isRead = try unsafe read(reader, within: seconds) { (facts, bytes) throws(CamrecError) in
        var kinds = capturedKinds
        if !isWanted(false, facts) { kinds.remove(.captured) }
        if !isWanted(true, facts) { kinds.remove(.graded) }
        if !kinds.isEmpty { try unsafe decode(facts, bytes, kinds, useImage, use) }
      }
      if isRead { hasCome = true }
    }
    if isBaked {
      let reader = try ViewedCamera.reader(&baked, of: remains.tap.baked)
      let isRead = try unsafe read(reader, within: seconds) { (facts, bytes) throws(CamrecError) in
        guard case .frame(let format) = facts.content, isWanted(true, facts) else { return }
        try use(true, facts, unsafe LentMemory.shared.frame(format, bytes))
      }
      if isRead { hasCome = true }
    }
    return hasCome
  }

  /// Of a camera that has gone away, a film's frame may be the newer one, or the only one.
  private var hasNewerBaked: Bool {
    guard let baked = remains.tap.baked.newest else { return false }
    return remains.tap.captured.newest.map { $0.captureTime <= baked.captureTime } ?? true
  }

  private static func reader(_ reader: inout TapReader?, of slot: TapSlot) throws(CamrecError) -> TapReader {
    if let reader { return reader }
    guard let new = slot.open() else {
      throw CamrecError(.device, "too many programs look at this camera; end one and try again")
    }
    reader = new
    return new
  }

  private func read(
    _ reader: TapReader, within seconds: Double,
    _ body: (TappedFrame, UnsafeRawBufferPointer) throws(CamrecError) -> Void
  ) throws(CamrecError) -> Bool {
    if copies {
      guard let facts = reader.copy(into: &copy, within: seconds) else { return false }
      try unsafe copy.withUnsafeBytes { bytes in
        Result { () throws(CamrecError) in try unsafe body(facts, bytes) }
      }.get()
      return true
    }
    let result = unsafe reader.borrow(within: seconds) { facts, bytes in
      Result { () throws(CamrecError) in try unsafe body(facts, bytes) }
    }
    guard let result else { return false }
    try result.get()
    return true
  }

  private func decode(
    _ facts: TappedFrame, _ bytes: UnsafeRawBufferPointer, _ kinds: Kinds, _ useImage: ImageUse?, _ use: Use
  ) throws(CamrecError) {
    switch facts.content {
    case .frame(var format):
      format.color = view.color
      if kinds.contains(.captured) { try use(false, facts, unsafe LentMemory.shared.frame(format, bytes)) }
      if kinds.contains(.graded) { try grade(facts, unsafe LentMemory.shared.frame(format, bytes), use) }
    case .encoded(let encoding, _, let stride, let decodesAlone):
      guard decodesAlone else {
        throw CamrecError(
          .device, "the \(encoding) images of \(remains.name) depend on one another, and cannot be shown one by one; "
            + "choose another pixel format")
      }
      if let useImage, useImage(facts, encoding, unsafe Array(bytes)) { return }
      let image = unsafe LentMemory.shared.image(
        encoding, width: remains.format.width, height: remains.format.height, stride: stride, bytes)
      var frame = try remains.decoder().convert(image)
      frame.describe(as: view.color)
      if kinds.contains(.captured) { try use(false, facts, frame) }
      if kinds.contains(.graded) { try grade(facts, frame, use) }
    }
  }

  private func grade(_ facts: TappedFrame, _ frame: consuming Frame, _ use: Use) throws(CamrecError) {
    try use(true, facts, try remains.grading().bake(frame, number: Int64(clamping: facts.sequence)))
  }
}
