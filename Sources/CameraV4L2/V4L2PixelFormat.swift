package import Cameras
package import Frames

/// A V4L2 pixel format code, and how camrec reads it.
package struct V4L2PixelFormat: Hashable, Sendable {
  package let offered: OfferedFormat
  /// The layout, for a format that the bake reads directly.
  package let layout: PixelLayout?
  /// R'G'B' samples: full range unless said otherwise.
  package let isRGB: Bool

  /// - Parameter code: as `VIDIOC_ENUM_FMT` gives it.
  package init(code: FourCC) {
    let entry = V4L2PixelFormat.known[code]
    let fallback = V4L2PixelFormat.plainName(of: code)
    offered = OfferedFormat(code: code, names: entry?.names ?? [fallback], route: entry?.route ?? .unreadable)
    layout = entry?.layout
    isRGB = entry?.isRGB ?? false
  }

  /// Whether frames are JPEG files.
  package var isJPEG: Bool { offered.route == .decoded }

  private static func plainName(of code: FourCC) -> String {
    let isBigEndian = code.code & 0x8000_0000 != 0
    return FourCC(code: code.code & 0x7FFF_FFFF).description.lowercased() + (isBigEndian ? "-be" : "")
  }

  private struct Entry {
    var names: [String]
    var route: OfferedFormat.Route
    var layout: PixelLayout?
    var isRGB = false
  }

  private static let known: [FourCC: Entry] = {
    var table: [FourCC: Entry] = [:]
    for (code, layout, names) in direct {
      table[FourCC(code)] = Entry(names: names, route: .direct, layout: layout)
    }
    for (code, names) in rgb { table[FourCC(code)] = Entry(names: names, route: .repacked, isRGB: true) }
    for (code, names) in repacked { table[FourCC(code)] = Entry(names: names, route: .repacked) }
    for (code, names) in gray { table[FourCC(code)] = Entry(names: names, route: .gray) }
    for (code, names) in jpeg { table[FourCC(code)] = Entry(names: names, route: .decoded) }
    for code in vendor {
      let key = FourCC(code)
      table[key] = Entry(names: [plainName(of: key)], route: .vendor)
    }
    return table
  }()

  /// Codes ending in M (`NM12`, `YM12`, …) keep their planes in separate buffers.
  private static let direct: [(String, PixelLayout, [String])] = [
    ("YUYV", .yuyv, ["yuyv", "yuyv422", "yuy2"]),
    ("UYVY", .uyvy, ["uyvy", "uyvy422"]),
    ("NV12", .nv12, ["nv12"]),
    ("NM12", .nv12, ["nv12m", "nm12", "nv12"]),
    ("NV21", .nv21, ["nv21"]),
    ("NM21", .nv21, ["nv21m", "nm21", "nv21"]),
    ("YU12", .yuv420p, ["yuv420p", "yu12", "i420"]),
    ("YM12", .yuv420p, ["yuv420m", "ym12", "yuv420p", "i420"]),
    ("YV12", .yv12, ["yv12"]),
    ("YM21", .yv12, ["yvu420m", "ym21", "yv12"]),
    ("422P", .yuv422p, ["yuv422p", "422p"]),
    ("YM16", .yuv422p, ["yuv422m", "ym16", "yuv422p"]),
    ("P010", .p010, ["p010", "p010le"]),
    ("Y210", .y210, ["y210", "y210le"]),
  ]

  /// The order of the bytes in memory is in the first name.
  private static let rgb: [(String, [String])] = [
    ("RGB3", ["rgb24", "rgb3"]),
    ("BGR3", ["bgr24", "bgr3"]),
    ("RGB4", ["argb32", "rgb4"]),
    ("BA24", ["argb", "ba24"]),
    ("BX24", ["xrgb", "bx24"]),
    ("BGR4", ["bgra32", "bgr4"]),
    ("AR24", ["bgra", "ar24"]),
    ("XR24", ["bgrx", "xr24"]),
    ("AB24", ["rgba", "ab24"]),
    ("XB24", ["rgbx", "xb24"]),
    ("RA24", ["abgr", "ra24"]),
    ("RX24", ["xbgr", "rx24"]),
    ("RGBP", ["rgb565", "rgbp"]),
    ("RGBR", ["rgb565x", "rgbr"]),
    ("RGBO", ["rgb555", "rgbo"]),
    ("AR15", ["argb555", "ar15"]),
    ("XR15", ["xrgb555", "xr15"]),
    ("RGBQ", ["rgb555x", "rgbq"]),
    ("R444", ["rgb444", "r444"]),
    ("AR12", ["argb444", "ar12"]),
    ("XR12", ["xrgb444", "xr12"]),
    ("RGB1", ["rgb332", "rgb1"]),
  ]

  private static let repacked: [(String, [String])] = [
    ("YVYU", ["yvyu", "yvyu422"]),
    ("VYUY", ["vyuy"]),
    ("NV16", ["nv16"]),
    ("NV61", ["nv61"]),
    ("NV24", ["nv24"]),
    ("NV42", ["nv42"]),
    ("411P", ["yuv411p", "411p"]),
    ("YUV9", ["yuv410p", "yuv9"]),
    ("YVU9", ["yvu410p", "yvu9"]),
    ("YUV4", ["yuv32", "yuv4"]),
    ("AYUV", ["ayuv"]),
    ("XYUV", ["xyuv"]),
    ("VUYA", ["vuya"]),
    ("VUYX", ["vuyx"]),
    ("YUVA", ["yuva"]),
    ("YUVX", ["yuvx"]),
    ("YUV3", ["yuv24", "yuv3"]),
  ]

  private static let gray: [(String, [String])] = [
    ("GREY", ["gray", "grey", "y8"]),
    ("Y10 ", ["gray10", "y10"]),
    ("Y12 ", ["gray12", "y12"]),
    ("Y14 ", ["gray14", "y14"]),
    ("Y16 ", ["gray16", "y16"]),
  ]

  private static let jpeg: [(String, [String])] = [
    ("MJPG", ["mjpeg", "mjpg"]),
    ("JPEG", ["jpeg", "mjpeg"]),
  ]

  /// The formats that only libv4lconvert of v4l-utils 1.20 and later can read.
  private static let vendor = [
    "BA81", "GBRG", "GRBG", "RGGB", "S501", "S505", "S508", "CITV", "KONI", "S920", "HM12", "M420", "CPIA", "S680",
    "S561", "S910", "P207", "M310", "SONX", "905C", "JL20", "O511", "O518", "JPGL", "PJPG", "S401", "Y10B",
  ]
}
