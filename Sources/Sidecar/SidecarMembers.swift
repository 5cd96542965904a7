/// The members of a record other than a frame, by name. If two have the same name, the last one counts.
struct SidecarMembers {
  private var values: [SidecarKey: SidecarFields.Value] = [:]

  /// Takes what is left in `fields`.
  init(_ fields: inout SidecarFields) throws(SidecarFields.Malformed) {
    while let (name, value) = try fields.next() {
      if let key = SidecarKey(name) { values[key] = value }
    }
  }

  subscript(_ key: SidecarKey) -> SidecarFields.Value? { values[key] }
}
