extension HandMade {
  /// A box of a film (ISO/IEC 14496-12, 4.2): fields, and boxes behind them. The content of one without a name is
  /// a file.
  public struct Box: Sendable {
    /// Four characters.
    public var type: String
    public var fields: [UInt8]
    public var boxes: [Box]
    /// The size that it claims; `nil`: its own.
    public var claimedSize: Int?

    public init(_ type: String, _ fields: [UInt8] = [], _ boxes: [Box] = []) {
      self.type = type
      self.fields = fields
      self.boxes = boxes
    }

    /// A box whose fields begin with a version and flags.
    public static func full(
      _ type: String, version: Int = 0, flags: Int = 0, _ fields: [UInt8] = [], _ boxes: [Box] = []
    ) -> Box {
      Box(type, HandMade.big(version, 1) + HandMade.big(flags, 3) + fields, boxes)
    }

    public var content: [UInt8] { fields + boxes.flatMap(\.bytes) }

    /// With its header.
    public var bytes: [UInt8] {
      let inner = content
      return HandMade.big(claimedSize ?? inner.count + 8, 4) + Array(type.utf8) + inner
    }

    /// Writes over some of its fields.
    public mutating func put(_ bytes: [UInt8], at place: Int) {
      fields.replaceSubrange(place..<place + bytes.count, with: bytes)
    }

    /// A box in it by its path, with its number where others of its type come before: `moov/trak[2]/tkhd`. Setting it
    /// to `nil` takes it out.
    ///
    /// - Precondition: what is set is there.
    public subscript(_ path: String) -> Box? {
      get {
        let (place, rest) = find(path)
        guard let place else { return nil }
        return rest.isEmpty ? boxes[place] : boxes[place][rest]
      }
      set {
        let (place, rest) = find(path)
        guard let place else { preconditionFailure("\(type) has no \(path)") }
        if !rest.isEmpty {
          boxes[place][rest] = newValue
        } else if let newValue {
          boxes[place] = newValue
        } else {
          boxes.remove(at: place)
        }
      }
    }

    private func find(_ path: String) -> (place: Int?, rest: String) {
      let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
      let type = String(parts[0].prefix(4)), number = Int(parts[0].dropFirst(4).filter(\.isNumber)) ?? 1
      let places = boxes.indices.filter { boxes[$0].type == type }
      return (places.indices.contains(number - 1) ? places[number - 1] : nil, parts.count > 1 ? parts[1] : "")
    }
  }
}
