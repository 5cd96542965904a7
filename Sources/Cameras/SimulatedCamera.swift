import Color
import Foundation
public import Frames
import Synchronization

/// A simulated camera: a seeded scene in linear light, exposed, clipped, coded and counted as a real camera does.
///
/// The frames of a seed are the same in every run: frame k depends only on the options, the format and k. Odd sizes are
/// allowed; the last column and row then have chroma samples of their own.
///
/// Frame k comes at start + k / rate on a clock that may be wrong by parts per million. In real time, a frame is
/// delivered when its exposure has ended. As with a driver that has run out of buffers, a frame is lost, and leaves a
/// gap in the sequence numbers, if no memory is free or if nobody takes it within as many frames as there are buffers.
/// `framesWithoutBuffer` counts both. When pulled, the camera waits for memory and loses nothing.
///
/// `@unchecked Sendable`: by the protocol, only one thread at a time uses it; the counter is atomic.
public final class SimulatedCamera: Camera, @unchecked Sendable {
  /// Makes the encoder for `mjpeg`, for frames of the given format.
  public typealias EncoderMaker = (FrameFormat) throws(CamrecError) -> any ImageEncoder

  public let name = "simulated camera"
  public let format: CameraFormat
  public let frameRate: FrameRate
  public let warnings: [String]
  public let options: Options
  public var controls: (any CameraControls)? { simulatedControls }
  /// The format of a frame in memory before an encoder reads it.
  public let pictureFormat: FrameFormat

  private static let jpeg = FourCC("MJPG")

  private let clock: SimulatedClock
  private let flash: SimulatedFlash
  private let simulatedControls: SimulatedControls
  private let space: RGBSpace
  /// The settings of the last frame.
  private var settings: SimulatedSettings
  private let painter: SimulatedPainter
  private let pool: FramePool
  private let encoder: (any ImageEncoder)?
  private let images: EncodedImagePool?
  private let starved = Atomic<UInt64>(0)
  private var began: MonotonicTime?
  private var upcoming: UInt64 = 0
  /// A hang from the script is over.
  private var wasRestarted = false

  /// Opens the camera: draws the scene and allocates all the memory that it will need.
  ///
  /// - Parameters:
  ///   - clock: shared with the simulated microphone; `options.pace` says which kind the user wants.
  ///   - frames: frames that may be lent at once, at least 1.
  ///   - makeEncoder: required if the request names `mjpeg`.
  /// - Throws: code `usage` for a size, rate or format that it does not have, and for an exposure longer than a frame.
  public init(
    _ options: Options = Options(), request: CameraRequest = CameraRequest(), clock: SimulatedClock, frames: Int = 8,
    makeEncoder: EncoderMaker? = nil
  ) throws(CamrecError) {
    try SimulatedAbsence.camera.check(options.faults, "the simulated camera")
    let mode = try Mode(request)
    let color = mode.color(options)
    let exposureTime = options.exposureTime(mode.frameRate)
    guard exposureTime <= mode.frameRate.frameDuration.doubleValue * 1.000001 else {
      throw CamrecError(
        .usage, about: .camera,
        "\(setting: .camera) sim: an exposure time of \(exposureTime) s is longer than a frame at \(mode.frameRate)"
          + " frames per second")
    }
    let iso = options.iso ?? SimulatedSensor.correctISO(exposureTime: exposureTime)
    simulatedControls = SimulatedControls(options, exposureTime: exposureTime, iso: iso, frameRate: mode.frameRate)
    settings = SimulatedSettings(exposureTime: exposureTime, iso: iso)
    self.options = options
    self.clock = clock
    flash = SimulatedFlash(frameRate: mode.frameRate)
    (warnings, frameRate) = (mode.warnings, mode.frameRate)
    pictureFormat = FrameFormat(width: mode.width, height: mode.height, layout: mode.layout, color: color)
    format = CameraFormat(
      width: mode.width, height: mode.height,
      image: mode.isEncoded ? .encoded(SimulatedCamera.jpeg) : .raw(mode.layout),
      frameRate: mode.frameRate, color: color, rotation: options.rotation)
    guard let space = RGBSpace(color.primaries) else {
      throw CamrecError(.defect, "the simulated camera has no primaries for \(color.primaries.rawValue)")
    }
    self.space = space
    painter = try SimulatedPainter(
      format: pictureFormat, sensor: SimulatedSensor(exposureTime: exposureTime, iso: iso),
      longestExposure: mode.frameRate.frameDuration.doubleValue, seed: options.seed,
      physics: options.physics ?? (clock.pace == .pulled ? .full : .fast), light: options.light)
    guard mode.isEncoded else {
      pool = FramePool(format: pictureFormat, capacity: frames)
      (encoder, images) = (nil, nil)
      return
    }
    guard let makeEncoder else {
      throw CamrecError(
        .usage, about: .pixelFormat,
        "this build has no JPEG encoder for the simulated camera; choose another \(setting: .pixelFormat)",
        reason: .notOffered)
    }
    pool = FramePool(format: pictureFormat, capacity: 1)
    encoder = try makeEncoder(pictureFormat)
    images = EncodedImagePool(bufferBytes: pictureFormat.byteCount, capacity: frames)
  }

  /// The number of frames lost because none of the camera's buffers was free.
  public var framesWithoutBuffer: UInt64 { starved.load(ordering: .relaxed) }

  public func start() throws(CamrecError) {
    guard began == nil else { throw CamrecError(.defect, "the simulated camera was started twice") }
    began = clock.startPicture()
  }

  /// The frames due since the hang are missing.
  public func restart() throws(CamrecError) -> Bool {
    guard let start = began else { return false }
    if let hang = options.faults.hang, upcoming >= hang.frame, !hang.isDeaf { wasRestarted = true }
    while time(of: upcoming, start) < clock.now, clock.pace == .realTime { upcoming += 1 }
    return true
  }

  public func stop() {
    guard let start = began else { return }
    began = nil
    // A pulled microphone has sound up to the end of the last frame, and does not wait for another.
    if clock.pace == .pulled { _ = clock.reach(time(of: upcoming, start)) }
    clock.endPicture()
  }

  public func next() throws(CamrecError) -> CameraEvent {
    guard let start = began else {
      throw CamrecError(.defect, "the simulated camera was asked for a frame before it was started")
    }
    guard !hangs else {
      Thread.sleep(forTimeInterval: 0.02)
      return .nothing
    }
    skipUntaken(start)
    while options.faults.isMissing(upcoming, frameRate: frameRate), !isAtEnd { upcoming += 1 }
    guard clock.reach(time(of: upcoming, start, after: settings.exposureTime)) else { return .nothing }
    if isAtEnd, let end = options.faults.end { return try ending(end) }
    if options.faults.isDamaged(upcoming) {
      defer { upcoming += 1 }
      return .damaged(sequence: upcoming, captureTime: reportedTime(of: upcoming, start))
    }
    return try capture(start)
  }

  private var tellsExposure: Bool { [.iso, .thirds].contains(options.sensitivity) }

  private var hangs: Bool {
    guard let hang = options.faults.hang, !wasRestarted else { return false }
    return upcoming >= hang.frame
  }

  private var isAtEnd: Bool { options.faults.end.map { upcoming >= $0.frame } ?? false }

  private func ending(_ end: FaultScript.End) throws(CamrecError) -> CameraEvent {
    clock.endPicture()
    switch end.ending {
    case .change: return .ended(.sourceChanged)
    case .vanish:
      SimulatedAbsence.camera.begins(options.faults, seconds: end.seconds)
      return .ended(.unplugged)
    case .end: return .ended(.finished)
    case .fail:
      throw CamrecError(.device, "the simulated camera broke down at frame \(upcoming), as its fault script says")
    }
  }

  // MARK: Time

  /// The start of exposure of `frame`, and `seconds` later.
  private func time(of frame: UInt64, _ start: MonotonicTime, after seconds: Double = 0) -> MonotonicTime {
    let since = options.seconds(ofFrame: frame, frameRate: frameRate) + seconds
    return start.advanced(by: Int64((since * 1e9).rounded()))
  }

  /// The capture time that the camera reports for `frame`.
  private func reportedTime(of frame: UInt64, _ start: MonotonicTime) -> MonotonicTime {
    let error = (Double(SeededNoise.uniform(options.seed &* 31 &+ 7, frame)) * 2 - 1) * options.jitter
    return time(of: frame, start).advanced(by: Int64((error * 1e9).rounded()))
  }

  /// In real time, loses frames that were due longer ago than the buffers can hold.
  private func skipUntaken(_ start: MonotonicTime) {
    guard clock.pace == .realTime else { return }
    let late = Double(clock.now - time(of: upcoming, start, after: settings.exposureTime)) / 1e9
    let frames = UInt64(max(0, late * frameRate.framesPerSecond))
    let held = UInt64(images?.capacity ?? pool.capacity)
    guard frames > held else { return }
    starved.add(frames - held, ordering: .relaxed)
    upcoming += frames - held
  }

  // MARK: Pictures

  private func capture(_ start: MonotonicTime) throws(CamrecError) -> CameraEvent {
    let number = upcoming
    let focusDistance: Double
    (settings, focusDistance) = simulatedControls.capture(number)
    guard let image = try picture(number) else {
      if clock.pace == .pulled {
        Thread.sleep(forTimeInterval: 0.001)
        return .nothing
      }
      starved.add(1, ordering: .relaxed)
      upcoming += 1
      return .nothing
    }
    upcoming += 1
    return .frame(
      CapturedFrame(
        image: image, sequence: number, captureTime: reportedTime(of: number, start),
        exposure: tellsExposure ? settings.exposureRecord : nil,
        controls: settings.controlRecord(light: options.kelvin, focusDistance: focusDistance)))
  }

  private func picture(_ number: UInt64) throws(CamrecError) -> CapturedImage? {
    let seconds = Double(number) / frameRate.framesPerSecond
    let mark = SimulatedMark(number: UInt32(truncatingIfNeeded: number), flash: flash.isFlash(number))
    let torch = settings.torchIsOn ? SimulatedSettings.torchLight : 0
    let light = options.light * options.faults.light(at: number) + torch
    let sensor = settings.sensor(lightKelvin: options.kelvin, space: space)
    guard let encoder, let images else {
      guard var frame = pool.take() else { return nil }
      painter.paint(&frame, number: number, seconds: seconds, sensor: sensor, light: light, mark: mark)
      return .frame(frame)
    }
    guard let storage = images.take() else { return nil }
    guard var frame = pool.take() else {
      images.frameEnded(storage)
      throw CamrecError(.defect, "the simulated camera's picture is still in use")
    }
    painter.paint(&frame, number: number, seconds: seconds, sensor: sensor, light: light, mark: mark)
    do throws(CamrecError) {
      let target = unsafe UnsafeMutableRawBufferPointer(start: storage.pointer(plane: 0), count: images.bufferBytes)
      let count = try unsafe encoder.encode(frame, into: target)
      return .encoded(
        EncodedImage(
          encoding: SimulatedCamera.jpeg, width: format.width, height: format.height, stride: 0, byteCount: count,
          storage: storage, owner: images))
    } catch {
      images.frameEnded(storage)
      throw error
    }
  }
}
