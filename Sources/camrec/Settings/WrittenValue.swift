import Cameras
import Exposure
import Frames
import Recorder
import Triggers

/// A value that is stored as the command line writes it.
protocol WrittenValue: Codable {
  /// - Throws: `CamrecError`, code `usage`.
  init(parsing text: String) throws(CamrecError)
  /// Reads back as the same value.
  var written: String { get }
}

extension WrittenValue {
  init(from decoder: any Decoder) throws {
    try self.init(parsing: try decoder.singleValueContainer().decode(String.self))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(written)
  }
}

extension FrameSize: WrittenValue { var written: String { description } }
extension ScheduleWindow: WrittenValue { var written: String { description } }
extension ButtonChoice: WrittenValue { var written: String { description } }
extension FileDigest: WrittenValue { var written: String { description } }

extension FrameRate: WrittenValue {
  init(parsing text: String) throws(CamrecError) { try self.init(argument: text) }
  var written: String { description }
}

extension CameraAddress: WrittenValue {
  var written: String {
    switch self {
    case .device(let path): path
    case .simulated(let options): options.isEmpty ? "sim" : "sim:\(options)"
    case .clip(let path): "clip:\(path)"
    }
  }
}

extension MicrophoneChoice: WrittenValue {
  var written: String {
    switch self {
    case .auto: "auto"
    case .none: "none"
    case .simulated: "sim"
    case .named(let name): name
    }
  }
}

extension ColorName: WrittenValue {
  var written: String { name + (range.map { "-\($0.rawValue)" } ?? "") }
}

extension RotationChoice: WrittenValue {
  var written: String { rotation.map { "\($0.rawValue)" } ?? "auto" }
}

extension TimecodeChoice: WrittenValue {
  var written: String {
    switch self {
    case .now: "now"
    case .label(let text): text
    }
  }
}

extension TimeSpan: WrittenValue {
  /// Whole seconds, and the rest in µs: both are exact.
  var written: String {
    let (seconds, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    let (micros, nanos) = rest.quotientAndRemainder(dividingBy: 1000)
    let digits = nanos == 0 ? "" : "." + "\(1000 + nanos)".dropFirst()
    return (nanoseconds < 0 ? "-" : "") + "\(seconds)s" + (rest == 0 ? "" : "\(micros)\(digits)us")
  }
}

extension SegmentChoice: WrittenValue {
  /// Of a choice that has both, the length: only a disk's limit adds bytes to it.
  var written: String {
    switch length {
    case .clock(let seconds)?: "clock:\(seconds)s"
    case .seconds(let seconds)?: TimeSpan(nanoseconds: seconds.scaling(1_000_000_000)).written
    case nil: "\(mostBytes ?? 0)B"
    }
  }
}

extension HeatLimit: WrittenValue {
  var written: String {
    switch self {
    case .off: "off"
    case .auto: "auto"
    case .degrees(let degrees): "\(degrees)"
    }
  }
}

extension LightChoice: WrittenValue {
  var written: String {
    switch lamp {
    case .led(let folder): "led:\(folder)@\(percent)"
    case .torch: "torch@\(percent)"
    }
  }
}
