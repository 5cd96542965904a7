import Color
import Foundation
import Frames
import TestKit
import Testing

import Photos

@Suite struct RGBProfileTests {
  private static func distance(_ a: Matrix3, _ b: Matrix3) -> Double {
    let rows = [(a.rows.0, b.rows.0), (a.rows.1, b.rows.1), (a.rows.2, b.rows.2)]
    return rows.map { max(($0 - $1).max(), ($1 - $0).max()) }.max() ?? 0
  }

  /// What camrec writes is what it reads, and the same bytes each time.
  @Test(arguments: [("sRGB", RGBSpace.rec709, RGBProfile.sRGB), ("Display P3", .displayP3, .displayP3)])
  func ownProfilesComeBack(name: String, space: RGBSpace, expected: RGBProfile) throws {
    let bytes = try ICCProfile.bytes(name: name, space: space)
    #expect(try ICCProfile.bytes(name: name, space: space) == bytes)
    let found = try RGBProfile(reading: bytes, channels: 3, path: "a.jpg")
    #expect(Self.distance(found.toDisplayP3, expected.toDisplayP3) < 0.0005)
    for (one, other) in zip(found.curves, expected.curves) {
      #expect(zip(one, other).allSatisfy { abs($0 - $1) < 0.0001 })
    }
    #expect(found.isDisplayP3 == (name == "Display P3") && found.isWiderThanSRGB == found.isDisplayP3)
  }

  @Test func matrixProfilesGivePrimariesAndCurves() throws {
    let found = try RGBProfile(reading: HandMade.profile(), channels: 3, path: "a.jpg")
    #expect(Self.distance(found.toDisplayP3, RGBProfile.adobeRGB.toDisplayP3) < 0.001)
    for (one, other) in zip(found.curves[1], RGBProfile.adobeRGB.curves[1]) { #expect(abs(one - other) < 0.0001) }
    #expect(found.isWiderThanSRGB && !found.isDisplayP3)
  }

  private static func refusal(_ bytes: [UInt8], channels: Int = 3) -> String? {
    do throws(CamrecError) {
      _ = try RGBProfile(reading: bytes, channels: channels, path: "a.jpg")
      return nil
    } catch {
      return "\(error.code.rawValue): \(error.message)"
    }
  }

  @Test func otherProfilesAreRefused() {
    let remedy = "convert the picture to sRGB, Display P3 or Adobe RGB"
    let table = "is a table, and camrec reads those with primaries and curves"
    #expect(
      Self.refusal(HandMade.profile(hasCurves: false, hasTable: true))
        == "input: the colour profile of 'a.jpg' \(table); \(remedy)")
    // A table comes before primaries.
    #expect(
      Self.refusal(HandMade.profile(hasTable: true)) == "input: the colour profile of 'a.jpg' \(table); \(remedy)")
    #expect(Self.refusal(HandMade.profile(space: "GRAY", hasTable: true), channels: 1) != nil)
    let other = "input: the colour profile of 'a.jpg' is for colours other than the picture's; \(remedy)"
    for space in ["CMYK", "Lab "] { #expect(Self.refusal(HandMade.profile(space: space)) == other) }
    let broken =
      "input: the colour profile of 'a.jpg' is broken; assign another one, such as sRGB's, in an editor"
    #expect(Self.refusal([1, 2, 3]) == broken && Self.refusal(Array(HandMade.profile().prefix(150))) == broken)
    // How to change colours; lightness in place of light; none of its tags.
    for kind in ["link", "abst", "nmcl"] { #expect(Self.refusal(HandMade.profile(kind: kind)) == broken) }
    for space in ["RGB ", "GRAY"] {
      #expect(Self.refusal(HandMade.profile(space: space, connection: "Lab "), channels: 1) == broken)
      #expect(Self.refusal(HandMade.profile(space: space, hasCurves: false), channels: 1) == broken)
    }
    for kind in ["scnr", "mntr", "prtr", "spac"] { #expect(Self.refusal(HandMade.profile(kind: kind)) == nil) }
  }

  /// Grey pictures have profiles for grey, or those of RGB.
  @Test func profilesForGreyAreForGrey() throws {
    let bytes = HandMade.profile(space: "GRAY")
    let found = try RGBProfile(reading: bytes, channels: 1, path: "a.jpg")
    #expect(found.curves[0] == found.curves[1] && found.curves[0] == found.curves[2])
    #expect(zip(found.curves[0], RGBProfile.adobeRGB.curves[0]).allSatisfy { abs($0 - $1) < 0.0001 })
    #expect(
      Self.refusal(bytes) == "input: the colour profile of 'a.jpg' is for colours other than the picture's; convert "
        + "the picture to sRGB, Display P3 or Adobe RGB")
  }
}
