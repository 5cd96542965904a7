/// The calls of a camera's controls: the kernel's, or a script's in tests.
///
/// Thread: one at a time.
package protocol ControlPort: AnyObject, Sendable {
  /// What the driver says of a control; `nil` where the camera does not have it or has switched it off.
  func facts(of id: UInt32) throws(V4L2CallError) -> ControlFacts?
  /// An item of a menu; `nil` where the menu has a gap.
  func menuItem(_ index: Int64, of control: ControlFacts) throws(V4L2CallError) -> ControlMenuItem?
  func value(of control: ControlFacts) throws(V4L2CallError) -> Int64
  func set(_ control: ControlFacts, to value: Int64) throws(V4L2CallError)
  /// Asks to be told when a control changes; false where the driver does not tell.
  func watch(_ id: UInt32) throws(V4L2CallError) -> Bool
  /// The next control that has changed; `nil` where there is none.
  func nextChange() throws(V4L2CallError) -> UInt32?
  /// The part of the sensor that makes the picture; `nil` where the driver cuts nothing out.
  func crop() throws(V4L2CallError) -> CropAreas?
  /// Takes another part, and says which one it really took.
  func setCrop(_ area: CropArea) throws(V4L2CallError) -> CropArea
  /// Width and height of the pictures that come out.
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
  /// Changes by itself, without an event.
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
  /// What makes the picture now.
  package var current: CropArea
  /// The whole picture.
  package var whole: CropArea
  /// What an area may not leave.
  package var bounds: CropArea

  package init(current: CropArea, whole: CropArea, bounds: CropArea) {
    self.current = current
    self.whole = whole
    self.bounds = bounds
  }
}
