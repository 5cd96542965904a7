/// The members of a record that is no frame, by their names. Of two of a name the last counts.
struct SidecarMembers {
  private var values: [SidecarKey: SidecarFields.Value] = [:]

  /// What `fields` has left.
  init(_ fields: inout SidecarFields) throws(SidecarFields.Malformed) {
    while let (name, value) = try fields.next() {
      if let key = SidecarKey(name) { values[key] = value }
    }
  }

  subscript(_ key: SidecarKey) -> SidecarFields.Value? { values[key] }
}
