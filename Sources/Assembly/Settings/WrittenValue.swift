package import Cameras
import Exposure
package import Frames
import Recorder
package import Triggers

/// A value that is stored as the command line writes it.
package protocol WrittenValue: Codable {
  /// - Throws: `CamrecError`, code `usage`.
  init(parsing text: String) throws(CamrecError)
  /// Reads back as the same value.
  var written: String { get }
}

extension WrittenValue {
  package init(from decoder: any Decoder) throws {
    try self.init(parsing: try decoder.singleValueContainer().decode(String.self))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(written)
  }
}

extension FrameSize: WrittenValue { package var written: String { description } }
extension ScheduleWindow: WrittenValue { package var written: String { description } }
extension ButtonChoice: WrittenValue { package var written: String { description } }
extension FileDigest: WrittenValue { package var written: String { description } }

extension FrameRate: WrittenValue {
  package init(parsing text: String) throws(CamrecError) { try self.init(argument: text) }
  package var written: String { description }
}

extension CameraAddress: WrittenValue {
  package init(parsing text: String) throws(CamrecError) { self = try CameraProviders.standard.address(parsing: text) }
}

extension MicrophoneChoice: WrittenValue {
  package var written: String {
    switch self {
    case .auto: "auto"
    case .none: "none"
    case .simulated: "sim"
    case .named(let name): name
    }
  }
}

extension ColorName: WrittenValue {
  package var written: String { name + (range.map { "-\($0.rawValue)" } ?? "") }
}

extension RotationChoice: WrittenValue {
  package var written: String { rotation.map { "\($0.rawValue)" } ?? "auto" }
}

extension TimecodeChoice: WrittenValue {
  package var written: String {
    switch self {
    case .now: "now"
    case .label(let text): text
    }
  }
}

extension TimeSpan: WrittenValue {
  /// Whole seconds, and the rest in µs: both are exact.
  package var written: String {
    let (seconds, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    let (micros, nanos) = rest.quotientAndRemainder(dividingBy: 1000)
    let digits = nanos == 0 ? "" : "." + "\(1000 + nanos)".dropFirst()
    return (nanoseconds < 0 ? "-" : "") + "\(seconds)s" + (rest == 0 ? "" : "\(micros)\(digits)us")
  }
}

extension SegmentChoice: WrittenValue {
  /// Of a choice that has both, the length: only a disk's limit adds bytes to it.
  package var written: String {
    switch length {
    case .clock(let seconds)?: "clock:\(seconds)s"
    case .seconds(let seconds)?: TimeSpan(nanoseconds: seconds.scaling(1_000_000_000)).written
    case nil: "\(mostBytes ?? 0)B"
    }
  }
}

extension HeatLimit: WrittenValue {
  package var written: String {
    switch self {
    case .off: "off"
    case .auto: "auto"
    case .degrees(let degrees): "\(degrees)"
    }
  }
}

extension LightChoice: WrittenValue {
  package var written: String {
    switch lamp {
    case .led(let folder): "led:\(folder)@\(percent)"
    case .torch: "torch@\(percent)"
    }
  }
}
