import Digest

/// A LUT's content in a form short enough to store beside its results. Two fingerprints show where two LUTs differ.
public struct LUTFingerprint: Hashable, Sendable {
  /// Points per side of the lattice; 0 without one.
  private let size: Int
  /// The hash of everything but the lattice's samples, the title and the comments.
  private let frame: String
  /// Hashes of the lattice's planes, `size` across red, then across green and blue.
  private let planes: [String]

  public init(_ table: LookupTable) {
    var frame = SHA256()
    frame.update(table.inputIsVideoRange)
    frame.update(table.outputIsVideoRange)
    if let curves = table.curves {
      frame.update(curves.samples)
      frame.update(curves.domainMin)
      frame.update(curves.domainMax)
    }
    if let lattice = table.lattice {
      frame.update(lattice.domainMin)
      frame.update(lattice.domainMax)
    }
    self.frame = frame.short
    size = table.lattice?.size ?? 0
    planes = table.lattice.map(LUTFingerprint.planes) ?? []
  }

  private static func planes(_ lattice: LookupTable.Lattice) -> [String] {
    let size = lattice.size
    let steps = [1, size, size * size]
    return steps.indices.flatMap { axis in
      let across = steps[axis]
      let along = steps[(axis + 1) % 3]
      let down = steps[(axis + 2) % 3]
      return (0..<size).map { plane in
        var samples: [Float] = []
        samples.reserveCapacity(size * size * 3)
        for row in 0..<size {
          for place in 0..<size {
            let point = plane * across + row * down + place * along
            samples += lattice.samples[point * 3..<point * 3 + 3]
          }
        }
        var hash = SHA256()
        hash.update(samples)
        return hash.short
      }
    }
  }

  /// Reads the form that `text` has; `nil` for anything else.
  public init?(text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count >= 2, let size = Int(words[0]), 0...256 ~= size, words.count == 2 + 3 * size,
      words.dropFirst().allSatisfy({ $0.wholeMatch(of: /[0-9a-f]{8}/) != nil })
    else { return nil }
    self.size = size
    frame = words[1]
    planes = Array(words[2...])
  }

  /// The fingerprint as one line.
  public var text: String { (["\(size)", frame] + planes).joined(separator: " ") }

  /// How this LUT differs from another, for people; `nil` if it does not.
  public func difference(from other: LUTFingerprint) -> String? {
    guard size == other.size else {
      func words(_ size: Int) -> String { size == 0 ? "no 3D table" : "\(size) points per side" }
      return "it has \(words(size)), not \(words(other.size))"
    }
    let places = (0..<3).map { axis in (0..<size).filter { planes[axis * size + $0] != other.planes[axis * size + $0] }
    }
    guard let red = places[0].first, let green = places[1].first, let blue = places[2].first else {
      return frame == other.frame ? nil : "its 1D table, domain or ranges differ"
    }
    let more = frame == other.frame ? "" : "; its 1D table, domain or ranges differ, too"
    if places.allSatisfy({ $0.count == 1 }) {
      return "its point at red \(red), green \(green), blue \(blue) differs\(more)"
    }
    let ranges = zip(["red", "green", "blue"], places).map { name, places in
      places.count == 1 ? "\(name) \(places[0])" : "\(name) \(places[0]) to \(places[places.count - 1])"
    }
    return "its points differ at \(ranges.joined(separator: ", "))\(more)"
  }
}

extension SHA256 {
  fileprivate mutating func update(_ values: [Float]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(values.count * 4)
    // Zero has two bit patterns.
    for value in values {
      let pattern = value == 0 ? 0 : value.bitPattern
      for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: pattern >> shift)) }
    }
    update(bytes.span)
  }

  fileprivate mutating func update(_ values: SIMD3<Double>) {
    let text = "\(values.x + 0) \(values.y + 0) \(values.z + 0);"
    update(Array(text.utf8).span)
  }

  fileprivate mutating func update(_ flag: Bool) { update([flag ? 1 : 0].span) }

  fileprivate var short: String { String(finish().prefix(8)) }
}
