import CPhotos
public import Color
public import Frames

/// ICC profiles for the photographs that camrec writes: sRGB's curve with other primaries, the same bytes each time.
public enum ICCProfile {
  /// - Throws: code `defect` without memory.
  public static func bytes(name: String, space: RGBSpace) throws(CamrecError) -> [UInt8] {
    let primaries = [space.red, space.green, space.blue].flatMap { [$0.x, $0.y] }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let size = bytes.withUnsafeMutableBytes { cp_make_profile(name, primaries, $0.baseAddress, $0.count) }
    guard size > 0 else { throw CamrecError(.defect, "there is no memory for a colour profile") }
    return Array(bytes.prefix(size))
  }
}
