import ArgumentParser
import Assembly
import Bake
import BakeVulkan
import Cameras
import Color
import Foundation
import Frames
import Jobs
import Kernels
import Movies
import Reporting

/// `camrec bench`.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure how fast this machine bakes and encodes, and recommend a preset.",
    usage: "camrec bench [--size WxH] [--fps RATE] [--lut FILE.cube | --look LOOK] [--bake-on PLACE] [OPTION …]",
    discussion: """
      Run it on an idle machine. It bakes frames of the simulated scene in memory to measure the time per pixel, and \
      records them as fast as possible to measure frame rates: with HEVC's presets from ultrafast to slow, ending at \
      the first that is too slow for 24 fps, and with ProRes and FFV1. It leaves out the presets slower, veryslow and \
      placebo. That covers the whole path from a camera's buffer to the file, but not the camera's own part (its \
      driver, the decoding of MJPEG). The recommended preset comes first. \
      \(Int(EncoderMeasurement.share * 100)) % of the measured rate counts as safe in real time; the table gives the \
      highest usual frame rate within that: 24, 25, 30, 50 or 60 fps. A warning says if other programs kept the \
      machine busy.
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The frame size to measure. Default: 1280x720, 1920x1080 and 3840x2160; the recommended preset is then for"
        + " 1920x1080.",
      valueName: "WxH"),
    transform: FrameSize.init(parsing:))
  var size: FrameSize?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The frame rate to choose a preset for. Default: 24.", valueName: "RATE"),
    transform: FrameRate.init(argument:))
  var fps: FrameRate?

  @Option(
    help: ArgumentHelp("The LUT to bake. Default: apple-log to rec709, 33 points per side.", valueName: "FILE.cube"),
    completion: .file(extensions: ["cube"]))
  var lut: String?

  @Option(
    help: ArgumentHelp(
      "The film look to bake instead of a LUT: a name or a .yaml file.",
      discussion: "Figures for the CPU include the grain; figures for the GPU do not, because the CPU adds it.",
      valueName: "LOOK"),
    completion: LookChoice.completion)
  var look: String?

  @Option(help: ArgumentHelp("How to interpolate between the LUT's points.", valueName: "METHOD"))
  var interpolation = Interpolation.tetrahedral

  @Option(
    help: ArgumentHelp(
      "cpu: measure the CPU; gpu: measure both; auto: both if there is a GPU.",
      discussion: """
        Without a GPU, gpu is an error. For auto, a driver that computes on the CPU is no GPU. camrec measures the GPU \
        with and without copying the frames to it and back.
        """, valueName: "PLACE"))
  var bakeOn = BakePlace.cpu

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long to measure each encoder; each bake takes a quarter of that. Default: 2s, or 300ms with --size.",
      valueName: "TIME"),
    transform: TimeSpan.init(parsingDuration:))
  var duration: TimeSpan?

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if lut != nil, look != nil { throw ValidationError("--lut and --look exclude each other; give one of them") }
    guard let size, !size.width.isMultiple(of: 2) || !size.height.isMultiple(of: 2) else { return }
    throw ValidationError(
      "the encoders need an even width and height; choose --size \(size.width & ~1)x\(size.height & ~1)")
  }

  func run() throws {
    // Reports a wrong CAMREC_CPU before anything is measured.
    _ = try KernelLevel.chosen()
    let grade = try grade()
    let rate = try fps ?? FrameRate(argument: "24")
    let size = size ?? .fullHD
    warnOfLoad()
    // The recommendation comes first.
    let (encoders, recordings) = try measureEncoders(grade, size: size, rate: rate)
    let bakes = try measureBakes(grade, size: size, rate: rate)
    let gpuBakes = try measureGPU(grade, size: size, rate: rate)
    let report = BenchReport(
      lut: look == nil ? lut ?? "apple-log to rec709" : nil, look: look, bakes: bakes, gpuBakes: gpuBakes,
      encoders: encoders, recordings: recordings, size: size, rate: rate)
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      try Console.print(json: encoder.encode(report))
    }
  }

  private func grade() throws(CamrecError) -> Grade {
    if let look { return try .reading(look: look) }
    if let lut { return .lut(try LookupTable(readingFile: lut)) }
    return .lut(try LookupTable.make(from: .appleLog, to: .rec709, size: 33))
  }

  private func measureBakes(
    _ grade: Grade, size: FrameSize, rate: FrameRate
  ) throws(CamrecError) -> [BakeMeasurement] {
    say("the bake at \(size.width)x\(size.height):")
    let cores = ProcessInfo.processInfo.activeProcessorCount
    // One worker with each instruction set, then all workers with the one that a recording uses.
    var ways = KernelLevel.supported.map { (workers: 1, level: $0) }
    if cores > 1 { ways.append((workers: cores, level: try .chosen())) }
    var found: [BakeMeasurement] = []
    for (input, output) in BakeMeasurement.pairs {
      let reel = try FrameReel(size: size, layout: input, rate: rate, count: 4)
      for way in ways {
        let bake = try BakeMeasurement(
          reel, to: output, grade: grade, interpolation: interpolation, workers: way.workers, level: way.level,
          duration: span / 4)
        say(BenchReport.bakeLine(bake))
        found.append(bake)
      }
    }
    return found
  }

  private func measureGPU(
    _ grade: Grade, size: FrameSize, rate: FrameRate
  ) throws(CamrecError) -> [GPUMeasurement] {
    if bakeOn == .cpu || (bakeOn == .auto && !VulkanLibrary.gpus().contains { $0.kind != .software }) { return [] }
    let library = try VulkanLibrary()
    var found: [GPUMeasurement] = []
    for (input, output) in BakeMeasurement.pairs {
      let reel = try FrameReel(size: size, layout: input, rate: rate, count: 4)
      let bake = try GPUMeasurement(
        reel, to: output, grade: grade, interpolation: interpolation, library: library, duration: span / 4)
      if found.isEmpty { say("the bake on \(bake.gpu):") }
      say(BenchReport.gpuLine(bake))
      found.append(bake)
    }
    return found
  }

  /// Measures the presets from fast to slow, until one is too slow for the lowest usual rate.
  ///
  /// - Parameter asked: the size to choose a preset for; it is measured first, and the choice is printed.
  private func measureEncoders(_ grade: Grade, size asked: FrameSize, rate: FrameRate) throws(CamrecError)
    -> (encoders: [EncoderMeasurement], recordings: [RecordingRate])
  {
    let directory = FileManager.default.temporaryDirectory
    let workers = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
    var found: [EncoderMeasurement] = [], recordings: [RecordingRate] = []
    let sizes = [asked] + (size == nil ? FrameSize.usual.filter { $0 != asked } : [])
    for size in sizes {
      let isFirst = size == asked
      let reel = try FrameReel(size: size, layout: .nv12, rate: rate, count: 12)
      func encode(_ codec: VideoCodec, _ preset: String?, _ grade: Grade) throws(CamrecError) -> EncoderMeasurement {
        try EncoderMeasurement(
          reel, grade: grade, interpolation: interpolation, workers: workers,
          encoding: VideoEncoding(codec: codec, preset: preset), duration: span, directory: directory)
      }
      func measure(_ codec: VideoCodec, _ preset: String?) throws(CamrecError) -> Bool {
        let encoder = try encode(codec, preset, grade)
        if !isFirst { say(BenchReport.encoderLine(encoder)) }
        found.append(encoder)
        return encoder.sustainedRate != nil
      }
      for preset in BenchCommand.presets {
        guard try measure(.hevc, preset) else { break }
      }
      for codec in [VideoCodec.prores, .ffv1] { _ = try measure(codec, nil) }
      // The first of its size was measured with the LUT or look.
      if let withLUT = found.first(where: { $0.width == size.width && $0.height == size.height }) {
        let plain = try encode(.hevc, BenchCommand.presets[0], .none)
        recordings.append(RecordingRate(plain: plain, withLUT: withLUT))
      }
      guard isFirst else { continue }
      let chosen = BenchReport.preset(of: found, size: size, rate: rate)
      say(BenchReport.choice(chosen, size: size, rate: rate).withOptions)
      say("from a camera's buffer to the file:")
      found.forEach { say(BenchReport.encoderLine($0)) }
    }
    say("the highest recording rate, with --preset \(BenchCommand.presets[0]):")
    recordings.forEach { say(BenchReport.recordingLine($0, look == nil ? "LUT" : "look")) }
    return (found, recordings)
  }

  /// Other programs' share of the processors, over the last minute, getloadavg(3).
  private func warnOfLoad() {
    var load = 0.0
    let cores = ProcessInfo.processInfo.activeProcessorCount
    guard unsafe getloadavg(&load, 1) == 1, load > 0.25 * Double(cores) else { return }
    HumanText.warning(
      "this machine is busy (load \(HumanText.fixed(load, 1)) on \(HumanText.count(cores, "core"))), so the figures are"
        + " lower than on an idle one; for reliable figures, end the other programs and measure again in a minute")
  }

  /// Shorter with --size: about eight encoders and twice as many bakes then take a few seconds.
  private var span: Duration { .nanoseconds(duration?.nanoseconds ?? (size == nil ? 2_000_000_000 : 300_000_000)) }

  /// Those that follow take about four times as long or longer, for files that are less than a tenth smaller.
  private static let presets = ["ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow"]

  /// Prints a line for people as soon as it is known.
  private func say(_ line: String) {
    guard !json else { return }
    Console.print(line)
  }
}
