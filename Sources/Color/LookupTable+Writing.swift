extension LookupTable {
  /// The table as a .cube file: the keywords of both dialects that this table needs, six decimals, LF.
  ///
  /// Six decimals are 1/65 of a 16-bit code. The domain of the first stage is written as `DOMAIN_MIN` and
  /// `DOMAIN_MAX`; a lattice after curves has one range for its three channels, as the format requires.
  ///
  /// - Parameter comments: lines for the top, without `#`.
  public func cubeFile(comments: [String] = []) -> [UInt8] {
    var lines = comments.map { "# \($0)" }
    if let title { lines.append("TITLE \"\(title)\"") }
    if let curves { lines.append("LUT_1D_SIZE \(curves.size)") }
    if let lattice { lines.append("LUT_3D_SIZE \(lattice.size)") }
    let first = curves.map { ($0.domainMin, $0.domainMax) } ?? lattice.map { ($0.domainMin, $0.domainMax) }
    if let (low, high) = first, low != .zero || high != .one {
      lines.append("DOMAIN_MIN \(low.x) \(low.y) \(low.z)")
      lines.append("DOMAIN_MAX \(high.x) \(high.y) \(high.z)")
    }
    if curves != nil, let lattice, lattice.domainMin != .zero || lattice.domainMax != .one {
      lines.append("LUT_3D_INPUT_RANGE \(lattice.domainMin.x) \(lattice.domainMax.x)")
    }
    if inputIsVideoRange { lines.append("LUT_IN_VIDEO_RANGE") }
    if outputIsVideoRange { lines.append("LUT_OUT_VIDEO_RANGE") }
    var text = Array(lines.map { $0 + "\n" }.joined().utf8)
    for samples in [curves?.samples, lattice?.samples].compactMap(\.self) {
      for (index, sample) in samples.enumerated() {
        Self.append(sample, to: &text)
        text.append(UInt8(ascii: index % 3 == 2 ? "\n" : " "))
      }
    }
    return text
  }

  /// With six decimals and no minus before a zero; with an exponent if six decimals would lose the value.
  private static func append(_ sample: Float, to text: inout [UInt8]) {
    guard sample.magnitude < 1e12 else { return text.append(contentsOf: sample.description.utf8) }
    let millionths = (Double(sample) * 1_000_000).rounded()
    let magnitude = millionths.magnitude
    if millionths < 0 { text.append(UInt8(ascii: "-")) }
    text.append(contentsOf: String(Int(magnitude / 1_000_000)).utf8)
    text.append(UInt8(ascii: "."))
    var rest = Int(magnitude.truncatingRemainder(dividingBy: 1_000_000))
    for place in [100_000, 10_000, 1000, 100, 10, 1] {
      text.append(UInt8(ascii: "0") + UInt8(rest / place))
      rest %= place
    }
  }
}
