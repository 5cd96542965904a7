public import Color
public import Frames
public import Kernels
import Platform

/// Bakes frames: YCbCr → R'G'B' → LUT → R'G'B' → YCbCr, then grain; without a LUT, it only changes layout, range and
/// matrix.
///
/// A bake that changes only the colour description may pass the frame itself through. Without a LUT and with the same
/// matrix, each code is rescaled exactly; R'G'B' is only used with a LUT or another matrix.
///
/// Frames come out in the order in which they went in, with the same bits from every processor. A device (a GPU) may
/// have several frames underway. Their sources are kept meanwhile: if the device fails, the CPU bakes them and all
/// later frames.
///
/// Thread: one at a time. The CPU divides a frame among its workers.
///
/// `@unchecked Sendable`: only the caller's thread touches any `var`, one thread at a time.
public final class Baker: @unchecked Sendable {
  /// The format of baked frames. Frames that pass through keep their strides.
  public let outputFormat: FrameFormat

  private let crew: StripCrew?
  private let threads: [WorkThread]
  private let frames: Int
  private var device: (any BakeDevice)?
  private var sources: FixedRing<Frame>
  /// Of the frames underway.
  private var numbers: FixedRing<Int64>
  /// The CPU's output frames, allocated when the first is needed.
  private var pool: FramePool?
  private var warning: String?

  /// - Parameters:
  ///   - dither: how codes are rounded when the output has fewer bits than the input.
  ///   - grain: added to luma after the bake, on the CPU wherever the bake takes place.
  ///   - level: a supported instruction set; `nil` for the best, or the one that `CAMREC_CPU` names.
  ///   - workers: the CPU threads that share a frame, at least 1; the result has the same bits for any number.
  ///   - frames: output frames that may be lent at once.
  ///   - passesThrough: false copies frames even if nothing changes, for callers that keep frames longer than the
  ///     source can spare them.
  ///   - exchangesChroma: as `BakeKernel.init`.
  ///   - place: where frames that do not pass through are baked.
  ///   - makeDevice: required unless `place` is the CPU.
  /// - Throws: code `usage` for an unsupported instruction set in `CAMREC_CPU`, code `input` for a table that cannot be
  ///   applied to within one code; if `place` is the GPU, also the errors of `makeDevice`.
  public init(
    input: FrameFormat, outputLayout: PixelLayout, outputColor: ColorDescription, lut: LookupTable?,
    interpolation: Interpolation, dither: Dither = .none, grain: GrainKernel.Settings? = nil,
    level: KernelLevel? = nil, workers: Int, frames: Int,
    passesThrough: Bool = true, exchangesChroma: Bool = false, on place: BakePlace = .cpu,
    makeDevice: BakeDeviceMaker? = nil
  ) throws(CamrecError) {
    precondition(workers >= 1, "at least one thread bakes")
    self.frames = frames
    let level: KernelLevel = if let level { level } else { try .chosen() }
    let keepsCodes = input.layout == outputLayout && input.color.matrix == outputColor.matrix
      && input.color.range == outputColor.range
    if passesThrough && lut == nil && keepsCodes && !exchangesChroma && grain == nil {
      var format = input
      format.color = outputColor
      outputFormat = format
      crew = nil
      threads = []
      sources = FixedRing(capacity: 1)
      numbers = FixedRing(capacity: 1)
      return
    }
    let output = FrameFormat(width: input.width, height: input.height, layout: outputLayout, color: outputColor)
    let kernel = try BakeKernel(
      input: input, output: output, lut: lut, interpolation: interpolation, dither: dither, level: level,
      exchangesChroma: exchangesChroma)
    let device = try Baker.device(on: place, kernel, frames: frames, makeDevice)
    let grain = try grain.map { settings throws(CamrecError) in
      try GrainKernel(settings, format: output, level: level)
    }
    let crew = StripCrew(kernel: kernel, grain: grain, input: input, output: output, workers: workers)
    outputFormat = output
    self.crew = crew
    self.device = device
    sources = FixedRing(capacity: device?.depth ?? 1)
    numbers = FixedRing(capacity: device?.depth ?? 1)
    threads = (1..<workers).map { index in WorkThread(name: "camrec-bake-\(index)") { crew.work(index) } }
    if device == nil { pool = FramePool(format: output, capacity: frames) }
    guard let device else { return }
    if place == .auto {
      keepTheFaster(input)
    } else if device.isSoftware {
      let sentence: Sentence = "\(device.name) is software on the CPU's own cores: \(setting: .bakeOn) cpu is faster"
      warning = sentence.withOptions
    }
  }

  deinit {
    crew?.close()
    for thread in threads { thread.join() }
  }

  /// Whether the device failed and the CPU took over.
  public private(set) var hasLostDevice = false

  /// The device that bakes; `nil` when it is the CPU.
  public var deviceName: String? { device?.name }

  /// The number of frames begun but not finished.
  public var underway: Int { sources.count }

  /// The most frames that may be underway.
  public var depth: Int { device?.depth ?? 1 }

  /// The warning about a device, returned once.
  public func takeWarning() -> String? {
    guard warning != nil else { return nil }
    defer { warning = nil }
    return warning
  }

  /// From the next frame on, at most `workers` threads share a frame, and at least the caller's. Allocates nothing.
  public func limitWorkers(to workers: Int) { crew?.limit(to: max(1, workers)) }

  /// Begins to bake `frame`, which goes back to its owner when it is baked. Allocates nothing.
  ///
  /// - Parameter number: of the frame in its film, which its grain depends on.
  /// - Precondition: fewer than `depth` frames are underway, and `frame` has the size and layout that the baker was
  ///   made for.
  /// - Throws: code `defect` if more frames are lent than `frames` allows.
  public func begin(_ frame: consuming Frame, number: Int64 = 0) throws(CamrecError) {
    if let device {
      do throws(CamrecError) {
        try device.begin(frame)
      } catch {
        if error.code == .defect { throw error }
        lost(device, error)
      }
    }
    sources.append(frame)
    numbers.append(number)
  }

  /// The oldest frame underway, baked. Waits for it; allocates nothing.
  ///
  /// - Precondition: a frame is underway.
  /// - Throws: code `defect` if more frames are lent than `frames` allows.
  public func finish() throws(CamrecError) -> Frame {
    guard var source = sources.popFirst(), let number = numbers.popFirst() else {
      preconditionFailure("no frame is underway")
    }
    guard let crew else {
      source.describe(as: outputFormat.color)
      return source
    }
    if let device {
      do throws(CamrecError) {
        let baked = try device.finish()
        crew.addGrain(to: baked.storage, baked.format, number: number)
        return baked
      } catch {
        lost(device, error)
      }
    }
    guard let baked = cpuPool.take() else {
      throw CamrecError(.defect, "all \(frames) frames of the bake are in use; a consumer keeps too many")
    }
    crew.bake(source.storage, source.format, into: baked.storage, baked.format, number: number)
    return baked
  }

  /// Returns a baked frame; `frame` goes back to its owner.
  ///
  /// - Parameter number: as of `begin`.
  /// - Precondition: no frame is underway.
  public func bake(_ frame: consuming Frame, number: Int64 = 0) throws(CamrecError) -> Frame {
    try begin(frame, number: number)
    return try finish()
  }

  /// Releases the device at once; none of its frames may be lent. A driver that is closed on another thread while the
  /// process ends may crash. The CPU bakes all later frames.
  public func close() { device = nil }

  private var cpuPool: FramePool {
    if let pool { return pool }
    let made = FramePool(format: outputFormat, capacity: frames)
    pool = made
    return made
  }

  private func lost(_ device: any BakeDevice, _ error: CamrecError) {
    self.device = nil
    hasLostDevice = true
    let cause = error.cause ?? error.message
    warning = "\(device.name) failed: the CPU bakes from here on, including the frames underway (\(cause))"
  }

  private static func device(
    on place: BakePlace, _ kernel: BakeKernel, frames: Int, _ makeDevice: BakeDeviceMaker?
  ) throws(CamrecError) -> (any BakeDevice)? {
    guard place != .cpu, let makeDevice else { return nil }
    do throws(CamrecError) {
      let device = try makeDevice(kernel, frames)
      return place == .auto && device.isSoftware ? nil : device
    } catch {
      // A device that cannot bake is not faster.
      if place == .auto { return nil }
      throw error
    }
  }

  /// Measures the device and the CPU with noise, and releases the device unless it is faster.
  private func keepTheFaster(_ input: FrameFormat) {
    let trial = BakeTrial(input: input, frames: depth)
    let byDevice = trial.framesPerSecond(self)
    let measured = device
    device = nil
    if measured != nil, byDevice > trial.framesPerSecond(self) {
      device = measured
      pool = nil
    }
    // A device that failed here was never used.
    warning = nil
  }
}
