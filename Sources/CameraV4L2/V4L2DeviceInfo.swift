/// A camera and its modes and controls, for a person to read or a program to parse.
public struct V4L2DeviceInfo: Codable, Hashable, Sendable {
  /// `/dev/video0`.
  public var path: String
  /// The link in `/dev/v4l/by-id`, which stays the same in every port.
  public var stablePath: String?
  public var driver: String
  public var card: String
  public var bus: String
  public var formats: [Format]
  public var controls: [Control]
  /// Why the camera cannot be used, or could not be described completely.
  public var problem: String?

  public init(
    path: String, stablePath: String? = nil, driver: String = "", card: String = "", bus: String = "",
    formats: [Format] = [], controls: [Control] = [], problem: String? = nil
  ) {
    self.path = path
    self.stablePath = stablePath
    self.driver = driver
    self.card = card
    self.bus = bus
    self.formats = formats
    self.controls = controls
    self.problem = problem
  }

  /// A pixel format.
  public struct Format: Codable, Hashable, Sendable {
    /// The name for `--pixel-format`.
    public var name: String
    /// The driver's four characters and its description of them.
    public var code: String
    public var description: String
    /// Whether camrec can record it.
    public var isReadable: Bool
    public var sizes: [Size]

    public init(name: String, code: String, description: String, isReadable: Bool, sizes: [Size]) {
      self.name = name
      self.code = code
      self.description = description
      self.isReadable = isReadable
      self.sizes = sizes
    }
  }

  /// A size, or a range of sizes from this one on, with its rates (for a range: those of its largest size).
  public struct Size: Codable, Hashable, Sendable {
    public var width: Int
    public var height: Int
    /// The end of a range and its steps; `nil` for a single size.
    public var largestWidth: Int?
    public var largestHeight: Int?
    public var widthStep: Int?
    public var heightStep: Int?
    /// Frames per second as exact fractions (`24`, `30000/1001`), in the driver's order.
    public var rates: [String]
    /// True if every rate between the first and the last of `rates` is offered too.
    public var areRatesContinuous: Bool

    public init(width: Int, height: Int, rates: [String] = [], areRatesContinuous: Bool = false) {
      self.width = width
      self.height = height
      self.rates = rates
      self.areRatesContinuous = areRatesContinuous
    }
  }

  /// A control.
  public struct Control: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Hashable, Sendable {
      case integer, boolean, menu, integerMenu = "integer-menu", bitmask, button
    }

    /// V4L2's number for it.
    public var id: UInt32
    /// The driver's name in lower case with underscores: `exposure_time_absolute`.
    public var name: String
    public var kind: Kind
    public var minimum: Int64
    public var maximum: Int64
    public var step: Int64
    public var defaultValue: Int64
    /// `nil` if it cannot be read (a button).
    public var value: Int64?
    public var menu: [MenuItem]
    public var isReadOnly: Bool
    /// Without effect while another control (an automatic) rules it.
    public var isInactive: Bool

    public init(
      id: UInt32, name: String, kind: Kind, minimum: Int64, maximum: Int64, step: Int64, defaultValue: Int64,
      value: Int64?, menu: [MenuItem] = [], isReadOnly: Bool = false, isInactive: Bool = false
    ) {
      self.id = id
      self.name = name
      self.kind = kind
      self.minimum = minimum
      self.maximum = maximum
      self.step = step
      self.defaultValue = defaultValue
      self.value = value
      self.menu = menu
      self.isReadOnly = isReadOnly
      self.isInactive = isInactive
    }
  }

  public struct MenuItem: Codable, Hashable, Sendable {
    public var value: Int64
    public var name: String

    public init(value: Int64, name: String) {
      self.value = value
      self.name = name
    }
  }
}
