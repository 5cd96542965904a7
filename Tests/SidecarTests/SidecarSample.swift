import Foundation
import Frames
import Sidecar

/// A folder of a test's own, and sidecars in it.
final class SidecarSample {
  let folder: URL
  var film: String { folder.appendingPathComponent("take.mov").path }
  var path: String { film + ".camrec" }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-sidecar-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  static let head = SidecarHead(
    software: "camrec 0.1.0", film: "take.mov", camera: "a \"camera\" \\ with\ta tab", width: 1920, height: 1080,
    pixelFormat: "nv12", frameRate: FrameRate(parsing: "23.976").unsafelyUnwrapped, timeBase: Rational(1, 24000),
    colorIn: "apple-log", colorOut: "rec709", lutTitle: "Größe", lutSHA256: String(repeating: "0a", count: 32),
    bakedOn: nil, codec: "hevc", microphone: "microphone", sampleRate: 48000,
    start: Date(timeIntervalSince1970: 1_700_000_000.125), timecode: "22:13:20:03")

  static let end = SidecarEnd(
    date: Date(timeIntervalSince1970: 1_700_000_010), expected: 12, captured: 10, written: 9,
    losses: [.deviceGap: 2, .deviceError: 0, .overload: 1, .disk: 0, .defect: 0], ticks: 12012, soundFrames: 24000,
    soundLost: 480, ratePartsPerMillion: -12.5, failure: "the \"disk\" was\nfull")

  static func frame(
    _ index: Int64, ticks: Int64? = nil, sequence: UInt64? = nil, _ exposure: ExposureRecord? = nil,
    _ controls: ControlRecord? = nil
  ) -> SidecarFrame {
    SidecarFrame(
      index: index, ticks: ticks ?? index * 1001, sequence: sequence ?? UInt64(index) + 7, exposure: exposure,
      controls: controls)
  }

  /// A little of everything, with values that are written exactly.
  static let records: [SidecarRecord] = {
    let half = ExposureRecord(exposureTime: 0.0208, iso: 100, gainEV: 2, meteredEV: -0.25)
    let near = ControlRecord(whiteBalance: 5600, focusDistance: 60)
    let brighter = ExposureRecord(exposureTime: 0.0208, iso: 125.992, gain: 20, gainEV: 2.33, meteredEV: 0.1)
    let green = ControlRecord(whiteBalance: 5600, tint: -0.05)
    return [
      .warning("it is \"dark\" \u{1} — schön", seconds: 0),
      .frame(frame(0)), .frame(frame(1)), .frame(frame(2, half, near)), .frame(frame(3, half, near)),
      .frameLoss(.deviceGap, frame: 4, count: 2), .setting("iso", value: "126", seconds: 0.167),
      .frame(frame(6, brighter, green)), .soundLoss(sample: 12000, count: 480),
      .frameLoss(.deviceError, frame: nil, count: 1), .frameLoss(.overload, frame: 8, count: 1),
      .frame(frame(7, ticks: 7100, sequence: 900, brighter, green)),
      .frame(frame(9, ticks: 9050, sequence: 902, nil, green)),
      .frame(frame(10, sequence: 903, half)), .frame(frame(11, sequence: 904, half, near)), .end(end),
    ]
  }()

  @discardableResult
  func write(
    _ records: [SidecarRecord] = SidecarSample.records, head: SidecarHead = SidecarSample.head
  ) throws -> [UInt8] {
    let writer = try SidecarWriter(film: film, head: head)
    records.forEach(writer.append)
    writer.flush()
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  func put(_ bytes: some Sequence<UInt8>) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

  func read() throws -> (records: [SidecarRecord], extent: SidecarReader.Extent) {
    var records: [SidecarRecord] = []
    let extent = try SidecarReader(path: path).records { records.append($0) }
    return (records, extent)
  }
}
