import MovieBoxes

/// How a track's samples are stored (QuickTime File Format, "Sample Description Atoms"; ISO/IEC 14496-12, 8.5.2).
struct SampleDescription {
  /// `colr`: numbers of ITU-T H.273.
  struct Color: Hashable {
    /// `nclc` (QuickTime's), `nclx` (ISO's), or a profile.
    var kind: BoxType
    var primaries: UInt16 = 2
    var transfer: UInt16 = 2
    var matrix: UInt16 = 2
    /// Only `nclx` says it.
    var isFullRange: Bool?

    var hasNumbers: Bool { kind == BoxType("nclc") || kind == BoxType("nclx") }
  }

  struct Picture {
    var width: UInt16
    var height: UInt16
    var color: Color?
    /// The atom that has it.
    var colorAtom: Atom?
    /// Width and height of a pixel.
    var pixelAspect: (width: UInt32, height: UInt32)?
    /// `hvcC`, `avcC` and the like: what the decoder needs to know.
    var hasConfiguration: Bool
  }

  struct Sound {
    /// As stated, up to 65536.
    var channels: UInt32
    var bits: UInt32
    var sampleRate: Double
    /// Bytes of one sample of each channel, if the description has it (version 2); otherwise 0.
    var frameBytes: UInt32 = 0
    var hasLayout = false
  }

  struct Timecode {
    var flags: UInt32
    var timescale: UInt32
    var frameDuration: UInt32
    var framesPerSecond: UInt8

    var isDropFrame: Bool { flags & 1 != 0 }
    /// Plain labels of less than a day: neither negative ones nor a counter.
    var isOrdinary: Bool { flags & 0b1110 == 0 }
  }

  enum Kind {
    case picture(Picture)
    case sound(Sound)
    case timecode(Timecode)
    case other
  }

  let format: BoxType
  let kind: Kind
  let atom: Atom
  /// The atoms in it, for picture and sound.
  let atoms: [Atom]

  /// Fields of a picture's description, with the eight bytes that every description begins with.
  private static let pictureFields = 78
  private static let configurations: Set<BoxType> = [
    BoxType("hvcC"), BoxType("avcC"), BoxType("esds"), BoxType("av1C"), BoxType("vvcC"),
  ]

  init(_ atom: Atom, handler: BoxType?, _ opener: inout AtomOpener) {
    format = atom.type
    self.atom = atom
    var inner: [Atom] = []
    var kind = Kind.other
    switch handler {
    case .picture:
      inner = opener.children(of: atom, behind: SampleDescription.pictureFields)
      let size = opener.read(atom) { (reader) throws(BoxDamage) -> (UInt16, UInt16) in
        try reader.skip(24)
        return (try reader.u16(), try reader.u16())
      }
      let color = SampleDescription.color(inner, &opener)
      if let size {
        kind = .picture(
          Picture(
            width: size.0, height: size.1, color: color?.color, colorAtom: color?.atom,
            pixelAspect: opener.read(inner.first { $0.type == BoxType("pasp") }) { (reader) throws(BoxDamage) in
              (try reader.u32(), try reader.u32())
            }, hasConfiguration: inner.contains { SampleDescription.configurations.contains($0.type) }))
      }
    case .sound:
      if let (sound, fields) = SampleDescription.sound(atom, &opener) {
        inner = opener.children(of: atom, behind: fields)
        var sound = sound
        sound.hasLayout = inner.contains { $0.type == BoxType("chan") }
        kind = .sound(sound)
      }
    case .timecode:
      let fields = opener.read(atom) { (reader) throws(BoxDamage) -> Timecode in
        try reader.skip(12)
        return Timecode(
          flags: try reader.u32(), timescale: try reader.u32(), frameDuration: try reader.u32(),
          framesPerSecond: try reader.u8())
      }
      if let fields { kind = .timecode(fields) }
    default: break
    }
    self.kind = kind
    atoms = inner
  }

  /// Of several, the first with numbers.
  private static func color(_ atoms: [Atom], _ opener: inout AtomOpener) -> (color: Color, atom: Atom)? {
    var colors: [(color: Color, atom: Atom)] = []
    for atom in atoms.filter({ $0.type == BoxType("colr") }).prefix(4) {
      if let color = color(atom, &opener) { colors.append((color, atom)) }
    }
    return colors.first { $0.color.hasNumbers } ?? colors.first
  }

  private static func color(_ atom: Atom, _ opener: inout AtomOpener) -> Color? {
    opener.read(atom) { (reader) throws(BoxDamage) in
      var color = Color(kind: BoxType(code: try reader.u32()))
      guard color.hasNumbers else { return color }
      (color.primaries, color.transfer, color.matrix) = (try reader.u16(), try reader.u16(), try reader.u16())
      if color.kind == BoxType("nclx") { color.isFullRange = try reader.u8() & 0x80 != 0 }
      return color
    }
  }

  /// - Returns: the sound, and how many bytes the fields take (QuickTime File Format, "Sound Sample Descriptions",
  ///   versions 0 to 2).
  private static func sound(_ atom: Atom, _ opener: inout AtomOpener) -> (Sound, Int)? {
    opener.read(atom) { (reader) throws(BoxDamage) in
      try reader.skip(8)
      let version = try reader.u16()
      try reader.skip(6)
      let channels = UInt32(try reader.u16())
      let bits = UInt32(try reader.u16())
      try reader.skip(4)
      let rate = try reader.u32()
      guard version == 2 else {
        let sound = Sound(channels: channels, bits: bits, sampleRate: Double(rate) / 65536)
        return (sound, version == 1 ? 44 : 28)
      }
      let size = try reader.u32()
      let exact = Double(bitPattern: try reader.u64())
      let count = try reader.u32()
      try reader.skip(4)
      let own = try reader.u32()
      try reader.skip(4)
      let sound = Sound(
        channels: min(count, 65536), bits: min(own, 65536), sampleRate: exact, frameBytes: try reader.u32())
      // The size is that of the whole description, its header included.
      return (sound, max(72, Int(size)) - 8)
    }
  }
}
