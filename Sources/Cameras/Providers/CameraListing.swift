/// A camera that a provider has found, with its modes and controls, for a person to read or a program to parse.
package struct CameraListing: Codable, Hashable, Sendable {
  /// What `--camera` names it by: `/dev/video0`.
  package var path: String
  /// What names it in every port: the link in `/dev/v4l/by-id`.
  package var stablePath: String?
  package var driver: String
  package var card: String
  package var bus: String
  package var formats: [Format]
  package var controls: [Control]
  /// Why the camera cannot be used (it may be away), or could not be described completely.
  package var problem: String?

  package init(
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
  package struct Format: Codable, Hashable, Sendable {
    /// The name for `--pixel-format`.
    package var name: String
    /// The driver's four characters and its description of them.
    package var code: String
    package var description: String
    /// Whether camrec can record it.
    package var isReadable: Bool
    package var sizes: [Size]

    package init(name: String, code: String, description: String, isReadable: Bool, sizes: [Size]) {
      self.name = name
      self.code = code
      self.description = description
      self.isReadable = isReadable
      self.sizes = sizes
    }
  }

  /// A size, or a range of sizes from this one on, with its rates (for a range: those of its largest size).
  package struct Size: Codable, Hashable, Sendable {
    package var width: Int
    package var height: Int
    /// The end of a range and its steps; `nil` for a single size.
    package var largestWidth: Int?
    package var largestHeight: Int?
    package var widthStep: Int?
    package var heightStep: Int?
    /// Frames per second as exact fractions (`24`, `30000/1001`), in the driver's order.
    package var rates: [String]
    /// True if every rate between the first and the last of `rates` is offered too.
    package var areRatesContinuous: Bool

    package init(width: Int, height: Int, rates: [String] = [], areRatesContinuous: Bool = false) {
      self.width = width
      self.height = height
      self.rates = rates
      self.areRatesContinuous = areRatesContinuous
    }
  }

  /// A control.
  package struct Control: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable {
      case integer, boolean, menu, integerMenu = "integer-menu", bitmask, button
    }

    /// The provider's number for it: V4L2's.
    package var id: UInt32
    /// The driver's name in lower case with underscores: `exposure_time_absolute`.
    package var name: String
    package var kind: Kind
    package var minimum: Int64
    package var maximum: Int64
    package var step: Int64
    package var defaultValue: Int64
    /// `nil` if it cannot be read (a button).
    package var value: Int64?
    package var menu: [MenuItem]
    package var isReadOnly: Bool
    /// Without effect while another control (an automatic) rules it.
    package var isInactive: Bool

    package init(
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

  package struct MenuItem: Codable, Hashable, Sendable {
    package var value: Int64
    package var name: String

    package init(value: Int64, name: String) {
      self.value = value
      self.name = name
    }
  }
}
