import Cameras
import Exposure
public import Frames
public import RecorderAPI

extension ControlRequest {
  public enum Meaning: Hashable, Sendable {
    case command(RecorderCommand)
    /// Whether to report the state whenever it changes, and whether as its changes (`StateUpdate`).
    case watch(Bool, changes: Bool)
  }

  /// The command that the request stands for.
  ///
  /// - Throws: code `usage` for an invalid value, with the same sentences as on the command line.
  public func meaning() throws(CamrecError) -> Meaning {
    let value = members["value"] ?? ""
    switch word {
    case .state: return .command(.state)
    case .watch: return .watch(try flag("value") ?? true, changes: try flag("changes") ?? false)
    case .start: return .command(try members["at"].map(ControlRequest.start) ?? .start)
    case .stop: return .command(.stop)
    case .quit: return .command(.quit)
    case .mode: return .command(.exposure(.mode(try read(.exposure, ExposureOptions.Mode.init(parsing:)))))
    case .angle: return .command(.exposure(.angle(try read(.shutterAngle, ShutterAngle.init(parsing:)))))
    case .iso: return .command(.exposure(.iso(try read(.iso, ExposureOptions.iso(parsing:)))))
    case .ev: return .command(.exposure(.bias(try read(.ev, Stops.init(parsingBias:)))))
    case .metering: return .command(.exposure(.metering(try read(.metering, MeteringMode.init(parsing:)))))
    case .spot: return .command(.exposure(.metering(.spot(at: try read(.metering, PicturePoint.init(parsing:))))))
    case .lock: return .command(.exposure(.lock(true)))
    case .unlock: return .command(.exposure(.lock(false)))
    case .whiteBalance: return .command(try ControlRequest.control("white-balance", value))
    case .set: return .command(try ControlRequest.control(members["name"] ?? "", value))
    case .focus: return .command(try focus)
    case .rate: return .command(.source(SourceChange(frameRate: try read(.fps, FrameRate.init(argument:)))))
    case .format: return .command(.source(SourceChange(pixelFormat: value.lowercased())))
    case .camera: return .command(.source(SourceChange(camera: value)))
    case .switchSource: return .command(.source(try source))
    case .forget: return .command(.forget)
    case .keep: return .command(.keep)
    case .marker: return .command(.marker(try members["value"].map(ControlRequest.marker)))
    }
  }

  /// Reads the value of a setting, which an error names as its field.
  private func read<Value>(
    _ setting: SettingName, of member: String = "value", _ parse: (String) throws(CamrecError) -> Value
  ) throws(CamrecError) -> Value {
    do throws(CamrecError) {
      return try parse(members[member] ?? "")
    } catch {
      throw error.about(setting)
    }
  }

  /// - Parameter text: seconds of the monotonic clock.
  private static func start(at text: String) throws(CamrecError) -> RecorderCommand {
    guard let seconds = Double(text), seconds.isFinite, seconds >= 0 else {
      throw CamrecError(
        .usage, "\"at\" of 'start' is a time of the monotonic clock in seconds, as in 86400.25, not '\(text)'")
    }
    return .startAt(MonotonicTime(nanoseconds: Int64(saturating: (seconds * 1e9).rounded())))
  }

  private var focus: RecorderCommand {
    get throws(CamrecError) {
      guard let value = members["value"] else { return .focus(x: nil, y: nil) }
      if value == "release" { return .releaseFocus }
      let point = try PicturePoint(parsing: value)
      return .focus(x: point.x, y: point.y)
    }
  }

  private var source: SourceChange {
    get throws(CamrecError) {
      guard !members.isEmpty else {
        throw CamrecError(.usage, "'switch' needs a new camera, fps, size or pixelFormat, as in '\(word.example)'")
      }
      var change = SourceChange(camera: members["camera"], pixelFormat: members["pixelFormat"]?.lowercased())
      if members["fps"] != nil { change.frameRate = try read(.fps, of: "fps", FrameRate.init(argument:)) }
      if members["size"] != nil { change.size = try read(.size, of: "size", FrameSize.init(parsing:)).description }
      return change
    }
  }
}
