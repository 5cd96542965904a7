import Color
public import Frames

extension SimulatedCamera {
  /// The options of the simulated camera and microphone, in addition to size, rate and format.
  ///
  /// On the command line: `sim:KEY=VALUE,KEY=VALUE,…`.
  ///
  /// | key | value | default |
  /// | --- | --- | --- |
  /// | `seed` | whole number | 1 |
  /// | `transfer` | `rec709`, `srgb`, or a camera's log such as `slog3` | `rec709` |
  /// | `range` | `limited`, `full` | `limited`; `mjpeg` is always full |
  /// | `shutter` | `1/50`, `20ms`, `180deg` | `180deg` |
  /// | `iso` | 25 to 102400 | the value that exposes the scene correctly with this shutter |
  /// | `sensitivity` | `iso`, `thirds`, `gain`, `fixed` | `iso`; `fixed` with `shutter` or `iso` |
  /// | `time-step` | steps of the exposure time, up to 10 ms | `0us` |
  /// | `delay` | 1 to 5 | 2 |
  /// | `kelvin` | 2000 to 12000, of the light | 5600 |
  /// | `rotation` | how far players must turn the frames clockwise: 0, 90, 180, 270 | 0 |
  /// | `light` | factor 0.001 to 1000 | 1 |
  /// | `ppm`, `microphone-ppm` | clock error, −100000 to 100000; a fast clock is positive | 0 |
  /// | `jitter` | greatest error of a capture time, 0 to 100 ms | `0ms` |
  /// | `faults` | path of a `FaultScript`, without commas | none |
  /// | `pace` | `real`, `pulled` | `real` |
  /// | `physics` | `fast`, `full` | `fast` in real time, `full` when pulled |
  public struct Options: Hashable, Sendable {
    /// How accurately the noise of each frame is simulated.
    public enum Physics: String, Hashable, Sendable, CaseIterable {
      /// Noise is added to code values; its deviation follows the signal, but luma and chroma noise are independent.
      case fast
      /// Noise is drawn in linear light for each pixel and channel, before clipping and transfer.
      case full
    }

    /// How long each frame is exposed.
    public enum Shutter: Hashable, Sendable {
      /// Degrees of the frame's duration, greater than 0, at most 360.
      case angle(Double)
      case seconds(Double)
    }

    /// How the camera's sensitivity is set.
    public enum Sensitivity: String, Hashable, Sendable, CaseIterable {
      /// By ISO speed, any.
      case iso
      /// By ISO speed, in thirds of an EV.
      case thirds
      /// By gain in tenths of a decibel; the ISO speed is unknown.
      case gain
      /// Exposure time and sensitivity can be neither set nor read.
      case fixed
    }

    public var seed: UInt64 = 1
    /// There is a `TransferFunction` and an `RGBSpace` for it.
    public var color = ColorDescription.rec709
    public var shutter = Shutter.angle(180)
    /// `nil`: 100 at 1/48 s and inversely proportional to the exposure time, which exposes the scene correctly.
    public var iso: Double?
    public var sensitivity = Sensitivity.iso
    /// Seconds from one possible exposure time to the next; 0: any time is possible.
    public var timeStep = 0.0
    /// The number of frames from the last captured frame to the first that shows a new setting.
    public var controlDelay = 2
    /// The colour temperature of the scene's light.
    public var kelvin = 5600.0
    /// How the camera is mounted.
    public var rotation = Rotation.none
    /// Relative to the light that exposes the scene correctly.
    public var light = 1.0
    /// The camera's clock error in parts per million; positive is fast.
    public var partsPerMillion = 0.0
    /// The microphone's clock error in parts per million; positive is fast.
    public var microphonePartsPerMillion = 0.0
    /// Capture times are off by up to this many seconds.
    public var jitter = 0.0
    public var faults = FaultScript.none
    public var pace = SimulatedClock.Pace.realTime
    /// `nil`: `fast` in real time, `full` when pulled.
    public var physics: Physics?

    public init() {}

    /// Set, it brings the matrix and primaries of cameras that record with it.
    public var transfer: TransferCharacteristic {
      get { color.transfer }
      set {
        let range = color.range
        color = ColorDescription.logs.first { $0.transfer == newValue } ?? .rec709
        (color.transfer, color.range) = (newValue, range)
      }
    }

    public var range: ColorRange {
      get { color.range }
      set { color.range = newValue }
    }

    static let transfers: [TransferCharacteristic] = [.rec709] + ColorDescription.logs.map(\.transfer) + [.srgb]
    static let isoRange = 25.0...102400
    static let lightRange = 0.001...1000
    static let partsPerMillionRange = -100_000.0...100_000

    /// Reads the text after `sim:`; an empty text means the defaults.
    ///
    /// - Throws: code `usage` for an unknown key or a value out of range, with what is allowed; code `input` for a
    ///   fault script that cannot be read.
    public init(parsing text: String) throws(CamrecError) {
      let pairs = text.split(separator: ",", omittingEmptySubsequences: true).map {
        $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      }
      // A shutter or an ISO sets it, too: what is asked for comes last.
      for pair in pairs.filter({ $0[0] != "sensitivity" }) + pairs.filter({ $0[0] == "sensitivity" }) {
        let value = pair.count == 2 ? pair[1] : ""
        if let allowed = try set(pair[0], value) {
          throw CamrecError(
            .usage, about: .camera, "\(setting: .camera) sim: \(pair[0]) is '\(value)'; it must be \(allowed)")
        }
      }
    }

    private static let keys =
      "seed, transfer, range, shutter, iso, sensitivity, time-step, delay, kelvin, rotation, light, ppm, "
      + "microphone-ppm, jitter, faults, pace, physics"

    /// Sets one option; returns the allowed values if the value is not allowed.
    private mutating func set(_ key: String, _ value: String) throws(CamrecError) -> String? {
      switch key {
      case "seed": return assign(\.seed, UInt64(value), "a whole number from 0 to \(UInt64.max)")
      case "transfer":
        let names = Options.transfers.map(\.rawValue).joined(separator: ", ")
        return assign(\.transfer, Options.transfers.first { $0.rawValue == value }, "one of \(names)")
      case "range": return assign(\.range, ColorRange(rawValue: value), "limited or full")
      case "shutter":
        sensitivity = .fixed
        return assign(\.shutter, Options.shutter(value), "a time (1/50, 20ms) or an angle from 1deg to 360deg")
      case "iso":
        sensitivity = .fixed
        return assign(\.iso, Options.number(value, in: Options.isoRange), "a number from 25 to 102400")
      case "sensitivity":
        return assign(\.sensitivity, Sensitivity(rawValue: value), "one of iso, thirds, gain, fixed")
      case "time-step":
        return assign(
          \.timeStep, SimulatedValue.seconds(value).flatMap { $0 <= 0.01 ? $0 : nil }, "a duration from 0us to 10ms")
      case "delay":
        return assign(\.controlDelay, Int(value).flatMap { (1...5).contains($0) ? $0 : nil }, "frames, from 1 to 5")
      case "kelvin":
        return assign(
          \.kelvin, Options.number(value, in: ColorTemperature.range), "a colour temperature from 2000 to 12000")
      case "rotation":
        let turn = Int(value).flatMap(Rotation.init(rawValue:))
        return assign(\.rotation, turn, "0, 90, 180 or 270 degrees")
      case "light": return assign(\.light, Options.number(value, in: Options.lightRange), "a factor from 0.001 to 1000")
      case "ppm": return assign(\.partsPerMillion, Options.partsPerMillion(value), "a number from -100000 to 100000")
      case "microphone-ppm":
        return assign(\.microphonePartsPerMillion, Options.partsPerMillion(value), "a number from -100000 to 100000")
      case "jitter":
        return assign(
          \.jitter, SimulatedValue.seconds(value).flatMap { $0 <= 0.1 ? $0 : nil }, "a duration from 0ms to 100ms")
      case "faults":
        faults = try FaultScript(path: value)
        return nil
      case "pace": return assign(\.pace, SimulatedClock.Pace(rawValue: value), "real or pulled")
      case "physics": return assign(\.physics, Physics(rawValue: value), "fast or full")
      default:
        throw CamrecError(
          .usage, about: .camera,
          "\(setting: .camera) sim: there is no option '\(key)'; there are \(Options.keys)")
      }
    }

    private mutating func assign<Value>(_ path: WritableKeyPath<Options, Value>, _ value: Value?, _ allowed: String)
      -> String?
    {
      guard let value else { return allowed }
      self[keyPath: path] = value
      return nil
    }

    private mutating func assign<Value>(_ path: WritableKeyPath<Options, Value?>, _ value: Value?, _ allowed: String)
      -> String?
    {
      guard let value else { return allowed }
      self[keyPath: path] = value
      return nil
    }

    private static func number(_ text: String, in range: ClosedRange<Double>) -> Double? {
      SimulatedValue.number(text).flatMap { range.contains($0) ? $0 : nil }
    }

    private static func partsPerMillion(_ text: String) -> Double? {
      SimulatedValue.signedNumber(text).flatMap { partsPerMillionRange.contains($0) ? $0 : nil }
    }

    private static func shutter(_ text: String) -> Shutter? {
      if text.hasSuffix("deg") {
        return number(String(text.dropLast(3)), in: 1...360).map { .angle($0) }
      }
      if text.hasPrefix("1/") {
        return number(String(text.dropFirst(2)), in: 0.1...100_000).map { .seconds(1 / $0) }
      }
      return SimulatedValue.seconds(text).flatMap { $0 >= 1e-5 ? .seconds($0) : nil }
    }
  }
}

extension SimulatedCamera.Options {
  /// Seconds from the start of frame 0 to the start of `frame` by a perfect clock.
  func seconds(ofFrame frame: UInt64, frameRate: FrameRate) -> Double {
    Double(frame) / frameRate.framesPerSecond / (1 + partsPerMillion * 1e-6)
  }

  /// The exposure time of each frame, in seconds.
  func exposureTime(_ frameRate: FrameRate) -> Double {
    switch shutter {
    case .angle(let degrees): degrees / 360 / frameRate.framesPerSecond
    case .seconds(let seconds): seconds
    }
  }
}
