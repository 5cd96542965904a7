package import Audio
import AudioALSA
package import Cameras
import CameraV4L2
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

  /// Opens what `--camera` and `--microphone` name.
  ///
  /// - Parameters:
  ///   - used: microphones that are already open, and will be free when the film begins.
  ///   - keepsFullChroma: as in `ClipCamera.open`.
  ///   - keepsTimes: as in `ClipCamera.open`.
  ///   - hasLUT: makes the simulated camera deliver apple-log unless another transfer is named.
  package static func open(
    _ options: SourceSettings, microphone: MicrophoneChoice, reusing used: [any Microphone] = [], colorIn: ColorName?,
    hasLUT: Bool, frames: Int, keepsFullChroma: Bool = false
  ) throws(CamrecError) -> FilmSource {
    var source: FilmSource
    switch options.camera {
    case .simulated(let text)?:
      return try simulated(text, options, microphone, reusing: used, colorIn: colorIn, hasLUT: hasLUT, frames: frames)
    case .clip(let path)?:
      source = try clip(
        path, options, paced: true, wantsSound: microphone == .auto, frames: frames, keepsFullChroma: keepsFullChroma)
      if microphone == .auto { return source }
    case .device(let path)?:
      source = FilmSource(camera: try V4L2Camera.open(path: path, request: options.request, buffers: frames))
    case nil:
      source = FilmSource(
        camera: try V4L2Camera.open(path: try V4L2Devices.firstCapture(), request: options.request, buffers: frames))
    }
    try source.addMicrophone(microphone, reusing: used)
    return source
  }

  /// Checks whether a camera in use supports these options, without setting anything.
  package static func check(_ options: SourceSettings, colorIn: ColorName?, hasLUT: Bool) throws(CamrecError) {
    switch options.camera {
    case .device(let path)?: try V4L2Camera.check(path: path, request: options.request)
    case .simulated(let text)?:
      _ = try simulated(text, options, .none, reusing: [], colorIn: colorIn, hasLUT: hasLUT, frames: 1)
    case .clip, nil: break
    }
  }

  /// Opens a clip, paced like a camera or pulled as fast as possible, after its first `skipped` frames.
  ///
  /// - Parameters:
  ///   - keepsFullChroma: as in `ClipCamera.open`.
  ///   - check: as in `ClipCamera.open`.
  package static func clip(
    _ path: String, _ options: SourceSettings?, paced: Bool, wantsSound: Bool, frames: Int,
    keepsFullChroma: Bool = false, keepsTimes: Bool = false, skipping skipped: Int = 0,
    check: () throws(CamrecError) -> Void = {}
  ) throws(CamrecError) -> FilmSource {
    if let options { try refuseModes(of: options) }
    let clip = try ClipCamera.open(
      path: path, paced: paced, frames: frames, keepsFullChroma: keepsFullChroma, keepsTimes: keepsTimes,
      skipping: skipped, check: check)
    var source = FilmSource(camera: clip, clip: clip, isPulled: !paced, hasTwoClocks: paced)
    if wantsSound {
      let sound = try ClipMicrophone.open(path: path, sharing: clip.clock)
      source.microphone = sound
      source.language = sound?.language
      if let sentence = sound?.leftOut { source.warnings.append(sentence) }
    }
    return source
  }

  private static func simulated(
    _ text: String, _ options: SourceSettings, _ microphone: MicrophoneChoice, reusing used: [any Microphone],
    colorIn: ColorName?, hasLUT: Bool, frames: Int
  ) throws(CamrecError) -> FilmSource {
    var simulation = try SimulatedCamera.Options(parsing: text)
    var honorsColorIn = false
    if !text.contains("transfer=") {
      if let colorIn, let transfer = simulatedTransfers[colorIn.name] {
        simulation.transfer = transfer
        honorsColorIn = true
      } else if hasLUT, colorIn == nil {
        simulation.transfer = .appleLog
      }
    }
    if let range = colorIn?.range, honorsColorIn { simulation.range = range }
    let clock = SimulatedClock(pace: simulation.pace)
    let camera = try SimulatedCamera(simulation, request: options.request, clock: clock, frames: frames) {
      (format) throws(CamrecError) in try JPEGEncoder(format: format)
    }
    var source = FilmSource(
      camera: camera, isPulled: clock.pace == .pulled, hasTwoClocks: clock.pace == .realTime,
      honorsColorIn: honorsColorIn)
    switch microphone {
    case .auto, .simulated:
      if simulation.partsPerMillion != 0 || simulation.microphonePartsPerMillion != 0 { source.hasTwoClocks = true }
      source.microphone = SimulatedMicrophone(simulation, frameRate: camera.format.frameRate, clock: clock)
    case .none, .named:
      try source.addMicrophone(microphone, reusing: used)
    }
    return source
  }

  /// Colours that the simulated camera can deliver, by the names in `--color-in`.
  private static let simulatedTransfers: [String: TransferCharacteristic] = [
    "rec709": .rec709, "apple-log": .appleLog, "slog3": .slog3, "vlog": .vlog,
  ]

  private static func refuseModes(of options: SourceSettings) throws(CamrecError) {
    guard options.size == nil, options.frameRate == nil, options.request.pixelFormat == nil else {
      throw CamrecError(
        .usage, about: nil,
        "a clip has its own size, rate and pixel format; leave out \(setting: .size), \(setting: .fps) and "
          + "\(setting: .pixelFormat)", reason: .notOffered)
    }
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
      microphone = SimulatedMicrophone(frameRate: camera.format.frameRate, clock: SimulatedClock())
    case .auto:
      microphone = try ALSAMicrophone.open(name: nil)
      if microphone == nil {
        warnings.append(
          "there is no microphone (ALSA's 'default' does not record), so the film has no audio; choose one with"
            + " --microphone NAME")
      }
    case .named(let name):
      microphone = try ALSAMicrophone.open(name: name)
    }
  }
}
