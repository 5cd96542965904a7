public import Color
public import Frames
public import Kernels

/// Bakes frames: YCbCr → R'G'B' → LUT → R'G'B' → YCbCr, or only the change of layout, range and matrix without a LUT.
///
/// What changes nothing but the description may pass the frame itself through. Without a LUT and with the same matrix,
/// codes are rescaled one by one, exactly; R'G'B' comes in only with a LUT or another matrix.
///
/// Frames come out in the order in which they went in, and with the same bits whoever baked them. A device (a GPU) may
/// have several underway. Their sources are kept meanwhile: when the device fails, the CPU bakes them, and all that
/// follow.
///
/// Thread: one at a time. The CPU spreads a frame over its workers.
///
/// `@unchecked Sendable`: every `var` is touched by whoever calls, one thread at a time.
public final class Baker: @unchecked Sendable {
  /// What comes out. Where frames pass through, they keep the strides that they came with.
  public let outputFormat: FrameFormat

  private let crew: StripCrew?
  private let threads: [WorkThread]
  private let frames: Int
  private var device: (any BakeDevice)?
  private var sources: FixedRing<Frame>
  /// The CPU's output frames: made when the first of them is needed.
  private var pool: FramePool?
  private var warning: String?

  /// - Parameters:
  ///   - dither: how codes of fewer bits than the input's are rounded.
  ///   - level: the instruction set, one that is supported; `nil` for the best, or what `CAMREC_CPU` names.
  ///   - workers: the CPU's threads that share a frame, at least 1; the result has the same bits for any number.
  ///   - frames: output frames that may be out at once.
  ///   - passesThrough: false copies also what would not change: for who keeps frames longer than their source can
  ///     spare them.
  ///   - exchangesChroma: as `BakeKernel.init`.
  ///   - place: where frames that do not pass through are baked.
  ///   - makeDevice: needed unless `place` is the CPU.
  /// - Throws: code `usage` for an instruction set in `CAMREC_CPU` that is not there, code `input` for a table that
  ///   cannot be applied to within one code; with `place` the GPU what `makeDevice` throws.
  public init(
    input: FrameFormat, outputLayout: PixelLayout, outputColor: ColorDescription, lut: LookupTable?,
    interpolation: Interpolation, dither: Dither = .none, level: KernelLevel? = nil, workers: Int, frames: Int,
    passesThrough: Bool = true, exchangesChroma: Bool = false, on place: BakePlace = .cpu,
    makeDevice: BakeDeviceMaker? = nil
  ) throws(CamrecError) {
    precondition(workers >= 1, "at least one thread bakes")
    self.frames = frames
    let level: KernelLevel = if let level { level } else { try .chosen() }
    let keepsCodes = input.layout == outputLayout && input.color.matrix == outputColor.matrix
      && input.color.range == outputColor.range
    if passesThrough && lut == nil && keepsCodes && !exchangesChroma {
      var format = input
      format.color = outputColor
      outputFormat = format
      crew = nil
      threads = []
      sources = FixedRing(capacity: 1)
      return
    }
    let output = FrameFormat(width: input.width, height: input.height, layout: outputLayout, color: outputColor)
    let kernel = try BakeKernel(
      input: input, output: output, lut: lut, interpolation: interpolation, dither: dither, level: level,
      exchangesChroma: exchangesChroma)
    let device = try Baker.device(on: place, kernel, frames: frames, makeDevice)
    let crew = StripCrew(kernel: kernel, input: input, output: output, workers: workers)
    outputFormat = output
    self.crew = crew
    self.device = device
    sources = FixedRing(capacity: device?.depth ?? 1)
    threads = (1..<workers).map { index in WorkThread(name: "camrec-bake-\(index)") { crew.work(index) } }
    if device == nil { pool = FramePool(format: output, capacity: frames) }
    guard let device else { return }
    if place == .auto {
      keepTheFaster(input)
    } else if device.isSoftware {
      warning = "\(device.name) is software on the CPU's own cores: --bake-on cpu is faster"
    }
  }

  deinit {
    crew?.close()
    for thread in threads { thread.join() }
  }

  /// Whether the device failed, so that the CPU has baked frames in its place.
  public private(set) var hasLostDevice = false

  /// The device that bakes; `nil` when it is the CPU.
  public var deviceName: String? { device?.name }

  /// Frames that have begun and not finished.
  public var underway: Int { sources.count }

  /// The most that may be underway.
  public var depth: Int { device?.depth ?? 1 }

  /// What there is to say of a device, once.
  public func takeWarning() -> String? {
    guard warning != nil else { return nil }
    defer { warning = nil }
    return warning
  }

  /// From the next frame on no more than `workers` of the threads share one, at least the caller's. Allocates nothing.
  public func limitWorkers(to workers: Int) { crew?.limit(to: max(1, workers)) }

  /// Begins to bake `frame`, which goes back to its owner when it has been baked. Allocates nothing.
  ///
  /// - Precondition: fewer than `depth` frames are underway, and `frame` has the size and layout that the baker was
  ///   made for.
  /// - Throws: code `defect` when more frames are out than `frames` said.
  public func begin(_ frame: consuming Frame) throws(CamrecError) {
    if let device {
      do throws(CamrecError) {
        try device.begin(frame)
      } catch {
        if error.code == .defect { throw error }
        lost(device, error)
      }
    }
    sources.append(frame)
  }

  /// The oldest of the frames underway, baked. Waits for it; allocates nothing.
  ///
  /// - Precondition: a frame is underway.
  /// - Throws: code `defect` when more frames are out than `frames` said.
  public func finish() throws(CamrecError) -> Frame {
    guard var source = sources.popFirst() else { preconditionFailure("no frame is underway") }
    guard let crew else {
      source.describe(as: outputFormat.color)
      return source
    }
    if let device {
      do throws(CamrecError) {
        return try device.finish()
      } catch {
        lost(device, error)
      }
    }
    guard let baked = cpuPool.take() else {
      throw CamrecError(.defect, "all \(frames) frames of the bake are out; whoever holds them keeps too many")
    }
    crew.bake(source.storage, source.format, into: baked.storage, baked.format)
    return baked
  }

  /// Returns a baked frame; `frame` goes back to its owner.
  ///
  /// - Precondition: nothing is underway.
  public func bake(_ frame: consuming Frame) throws(CamrecError) -> Frame {
    try begin(frame)
    return try finish()
  }

  /// Gives up the device here and now, where no frame of its is out: a driver that is taken down on another thread
  /// while the process ends may not survive it. Whatever follows is the CPU's.
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
    warning = "\(device.name) failed: the CPU bakes from here on, also the frames underway (\(cause))"
  }

  private static func device(
    on place: BakePlace, _ kernel: BakeKernel, frames: Int, _ makeDevice: BakeDeviceMaker?
  ) throws(CamrecError) -> (any BakeDevice)? {
    guard place != .cpu, let makeDevice else { return nil }
    do throws(CamrecError) {
      let device = try makeDevice(kernel, frames)
      return place == .auto && device.isSoftware ? nil : device
    } catch {
      // What cannot bake is not the faster.
      if place == .auto { return nil }
      throw error
    }
  }

  /// Measures the device and the CPU on noise, and gives up the device where it is not the faster.
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
