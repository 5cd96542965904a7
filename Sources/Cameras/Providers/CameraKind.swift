/// A kind of camera: each provider has its own.
package struct CameraKind: Hashable, Sendable {
  /// A lower-case word: `v4l2`, `sim`, `clip`.
  package let name: String
  /// Whether addresses begin with the kind's name, as `clip:PATH` does. Those of V4L2 are plain paths.
  package let isNamed: Bool

  package init(_ name: String, isNamed: Bool = true) {
    self.name = name
    self.isNamed = isNamed
  }

  /// What follows the kind's name and a colon in a written address, empty for the name alone; `nil` for the address of
  /// another kind.
  package func place(in written: String) -> String? {
    guard isNamed else { return nil }
    if written == name { return "" }
    return written.hasPrefix("\(name):") ? String(written.dropFirst(name.count + 1)) : nil
  }
}
