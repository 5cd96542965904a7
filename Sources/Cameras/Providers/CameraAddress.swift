/// The camera that `--camera` names: its kind, and where the kind's provider finds it.
package struct CameraAddress: Hashable, Sendable {
  package let kind: CameraKind
  /// For the provider to read: a path, options, …
  package let place: String

  package init(_ kind: CameraKind, _ place: String) {
    self.kind = kind
    self.place = place
  }

  /// As the command line writes it, and settings store it.
  package var written: String {
    guard kind.isNamed else { return place }
    return place.isEmpty ? kind.name : "\(kind.name):\(place)"
  }
}
