package import Audio
import AudioALSA
package import Cameras
package import Frames
package import MediaFFmpeg
import Recorder

/// An opened camera and its microphone.
package struct FilmSource {
  package let camera: any Camera
  package var microphone: (any Microphone)?
  /// Warnings from opening, besides the camera's own.
  package var warnings: [String] = []
  /// The audio's language, ISO 639-2, if known.
  package var language: String?
  /// The clip, if the source is one.
  package var clip: ClipCamera?
  /// The source waits for the recorder instead of running by itself, and need not lose anything.
  package var isPulled = false
  /// Camera and microphone each have their own clock.
  package var hasTwoClocks = true
  /// The camera delivers the colours that were asked for, and reports them itself.
  package var honorsColorIn = false

  package init(
    camera: any Camera, microphone: (any Microphone)? = nil, warnings: [String] = [], language: String? = nil,
    clip: ClipCamera? = nil, isPulled: Bool = false, hasTwoClocks: Bool = true, honorsColorIn: Bool = false
  ) {
    self.camera = camera
    self.microphone = microphone
    self.warnings = warnings
    self.language = language
    self.clip = clip
    self.isPulled = isPulled
    self.hasTwoClocks = hasTwoClocks
    self.honorsColorIn = honorsColorIn
  }

  /// Whether a clip's frames or audio have ended before the end that its header promises. Read it once they have ended.
  package var isCutOff: Bool { clip?.isCutOff == true || (microphone as? ClipMicrophone)?.isCutOff == true }

  private init(_ opened: OpenedCamera) {
    camera = opened.camera
    microphone = opened.microphone
    warnings = opened.warnings
    language = opened.language
    clip = opened.camera as? ClipCamera
    isPulled = opened.isPulled
    hasTwoClocks = opened.hasTwoClocks
    honorsColorIn = opened.honorsColor
  }

  /// Opens what `--camera` and `--microphone` name.
  ///
  /// - Parameters:
  ///   - used: microphones that are already open, and will be free when the film begins.
  ///   - keepsFullChroma: as in `ClipCamera.open`.
  ///   - hasLUT: makes the simulated camera deliver apple-log unless another transfer is named.
  ///   - isChange: as in `CameraRequest`.
  package static func open(
    _ options: SourceSettings, among providers: CameraProviders = .standard, microphone: MicrophoneChoice,
    reusing used: [any Microphone] = [], colorIn: ColorName?, hasLUT: Bool, frames: Int, keepsFullChroma: Bool = false,
    isChange: Bool = false
  ) throws(CamrecError) -> FilmSource {
    let address = try providers.chosen(options.camera)
    let sound: CameraOrder.Sound =
      switch microphone {
      case .auto: .own
      case .simulated: .simulated
      case .none, .named: .none
      }
    var order = order(
      options, sound, colorIn: colorIn, hasLUT: hasLUT, frames: frames, keepsFullChroma: keepsFullChroma)
    order.request.isChange = isChange
    let opened = try providers.provider(of: address).open(address, order)
    var source = FilmSource(opened)
    if !opened.bringsSound { try source.addMicrophone(microphone, reusing: used) }
    return source
  }

  /// Checks whether a running recorder's camera supports these options, without setting anything.
  package static func check(
    _ options: SourceSettings, among providers: CameraProviders = .standard, colorIn: ColorName?, hasLUT: Bool
  ) throws(CamrecError) {
    guard let address = options.camera else { return }
    var order = order(options, .none, colorIn: colorIn, hasLUT: hasLUT, frames: 1, keepsFullChroma: false)
    order.request.isChange = true
    try providers.provider(of: address).check(address, order)
  }

  private static func order(
    _ options: SourceSettings, _ sound: CameraOrder.Sound, colorIn: ColorName?, hasLUT: Bool, frames: Int,
    keepsFullChroma: Bool
  ) -> CameraOrder {
    CameraOrder(
      options.request, frames: frames, sound: sound,
      color: colorIn.map {
        CameraOrder.Color(name: $0.name, description: $0.description(range: .limited), range: $0.range)
      },
      hasLUT: hasLUT, keepsFullChroma: keepsFullChroma)
  }

  /// Opens a clip that is pulled as fast as possible, after its first `skipped` frames.
  ///
  /// - Parameters:
  ///   - keepsFullChroma: as in `ClipCamera.open`.
  ///   - keepsTimes: as in `ClipCamera.open`.
  ///   - check: as in `ClipCamera.open`.
  package static func clip(
    _ path: String, wantsSound: Bool, frames: Int, keepsFullChroma: Bool = false, keepsTimes: Bool = false,
    skipping skipped: Int = 0, check: () throws(CamrecError) -> Void = {}
  ) throws(CamrecError) -> FilmSource {
    let clip = try ClipCamera.open(
      path: path, paced: false, frames: frames, keepsFullChroma: keepsFullChroma, keepsTimes: keepsTimes,
      skipping: skipped, check: check)
    return FilmSource(try ClipProvider.opened(clip, path: path, paced: false, wantsSound: wantsSound))
  }

  private mutating func addMicrophone(
    _ choice: MicrophoneChoice, reusing used: [any Microphone]
  ) throws(CamrecError) {
    // A second opening would find it busy.
    if choice != .none, choice != .simulated, let open = used.first(where: { $0 is ALSAMicrophone }) {
      microphone = open
      return
    }
    switch choice {
    case .none: return
    case .simulated:
      microphone = SimulatedMicrophone(frameRate: try camera.filmRate, clock: SimulatedClock())
    case .auto:
      microphone = try ALSAMicrophone.open(name: nil)
      if microphone == nil {
        let sentence: Sentence =
          "there is no microphone (ALSA's 'default' does not record), so the film has no audio; choose one with"
          + " \(setting: .microphone) NAME"
        warnings.append(sentence.withOptions)
      }
    case .named(let name):
      microphone = try ALSAMicrophone.open(name: name)
    }
  }
}
