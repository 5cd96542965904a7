/// The calls to a camera's controls: the kernel's, or a script's in tests.
///
/// Thread: one at a time.
package protocol ControlPort: AnyObject, Sendable {
  /// The driver's description of a control; `nil` if the camera does not have it or has switched it off.
  func facts(of id: UInt32) throws(V4L2CallError) -> ControlFacts?
  /// An item of a menu; `nil` if the menu has a gap there.
  func menuItem(_ index: Int64, of control: ControlFacts) throws(V4L2CallError) -> ControlMenuItem?
  func value(of control: ControlFacts) throws(V4L2CallError) -> Int64
  func set(_ control: ControlFacts, to value: Int64) throws(V4L2CallError)
  /// Asks for an event when a control changes; false if the driver has no such events.
  func watch(_ id: UInt32) throws(V4L2CallError) -> Bool
  /// The next control that has changed; `nil` if there is none.
  func nextChange() throws(V4L2CallError) -> UInt32?
  /// The part of the sensor that forms the frame; `nil` if the driver cannot crop.
  func crop() throws(V4L2CallError) -> CropAreas?
  /// Sets the crop, and returns the one that was really set.
  func setCrop(_ area: CropArea) throws(V4L2CallError) -> CropArea
  /// Width and height of the resulting frames.
  func pictureSize() throws(V4L2CallError) -> CropArea
}

/// A control as the driver describes it, in the driver's own numbers.
package struct ControlFacts: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case integer, wideInteger, boolean, menu, integerMenu, bitmask, button, other
  }

  package let id: UInt32
  package var kind: Kind
  package var minimum: Int64
  package var maximum: Int64
  package var step: Int64
  package var defaultValue: Int64
  package var isReadOnly = false
  package var isWriteOnly = false
  /// Another control rules it now.
  package var isInactive = false
  /// It changes by itself, without an event.
  package var isVolatile = false

  package init(
    id: UInt32, kind: Kind = .integer, minimum: Int64, maximum: Int64, step: Int64 = 1, defaultValue: Int64 = 0
  ) {
    self.id = id
    self.kind = kind
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.defaultValue = defaultValue
  }
}

/// An item of a menu: its index, and the number that stands for it in a menu of numbers.
package struct ControlMenuItem: Hashable, Sendable {
  package let index: Int64
  package let number: Int64

  package init(index: Int64, number: Int64 = 0) {
    self.index = index
    self.number = number
  }
}

/// A rectangle in pixels.
package struct CropArea: Codable, Hashable, Sendable {
  package var left: Int
  package var top: Int
  package var width: Int
  package var height: Int

  package init(left: Int = 0, top: Int = 0, width: Int, height: Int) {
    self.left = left
    self.top = top
    self.width = width
    self.height = height
  }
}

package struct CropAreas: Hashable, Sendable {
  /// The present crop.
  package var current: CropArea
  /// The crop for the whole frame.
  package var whole: CropArea
  /// The limits for any crop.
  package var bounds: CropArea

  package init(current: CropArea, whole: CropArea, bounds: CropArea) {
    self.current = current
    self.whole = whole
    self.bounds = bounds
  }
}
