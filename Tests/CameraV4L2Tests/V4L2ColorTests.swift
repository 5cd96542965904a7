import CameraV4L2
import Cameras
import Frames
import Testing

/// Values of linux/videodev2.h.
private enum Space {
  static let smpte170m: UInt32 = 1, smpte240m: UInt32 = 2, rec709: UInt32 = 3, bg: UInt32 = 6, jpeg: UInt32 = 7
  static let srgb: UInt32 = 8, opRGB: UInt32 = 9, bt2020: UInt32 = 10, raw: UInt32 = 11, dciP3: UInt32 = 12
}

private let yuyv = V4L2PixelFormat(code: FourCC("YUYV"))
private let mjpeg = V4L2PixelFormat(code: FourCC("MJPG"))
private let rgb = V4L2PixelFormat(code: FourCC("RGB3"))

@Suite struct V4L2ColorTests {
  @Test(arguments: [
    (0, ColorMatrix.rec601, TransferCharacteristic.srgb, ColorPrimaries.rec709),
    (Space.srgb, .rec601, .srgb, .rec709),
    (Space.smpte170m, .rec601, .rec709, .smpte170m),
    (Space.smpte240m, .rec709, .rec709, .smpte170m),
    (Space.rec709, .rec709, .rec709, .rec709),
    (Space.bg, .rec601, .rec709, .bt470bg),
    (Space.bt2020, .rec2020, .rec709, .rec2020),
    (Space.opRGB, .rec601, .unspecified, .unspecified),
    (Space.dciP3, .rec709, .unspecified, .unspecified),
    (Space.raw, .rec601, .linear, .unspecified),
  ] as [(UInt32, ColorMatrix, TransferCharacteristic, ColorPrimaries)])
  func defaults_followTheColorspace(
    space: UInt32, matrix: ColorMatrix, transfer: TransferCharacteristic, primaries: ColorPrimaries
  ) {
    #expect(
      V4L2Color(colorspace: space).description(of: yuyv)
        == ColorDescription(matrix: matrix, range: .limited, transfer: transfer, primaries: primaries))
  }

  @Test func range_byDefaultIsFullForRGBAndJPEGOnly() {
    #expect(V4L2Color(colorspace: Space.srgb).description(of: yuyv).range == .limited)
    #expect(V4L2Color(colorspace: Space.jpeg).description(of: yuyv).range == .full)
    #expect(V4L2Color(colorspace: Space.srgb).description(of: rgb).range == .full)
    #expect(V4L2Color(colorspace: Space.srgb).description(of: mjpeg).range == .full)
  }

  @Test func withoutSpaceAndTransfer_coloursAreAGuess() {
    #expect(V4L2Color().isUnknown && V4L2Color(encoding: 2, quantization: 1).isUnknown)
    #expect(!V4L2Color(colorspace: Space.srgb).isUnknown && !V4L2Color(transfer: 7).isUnknown)
  }

  @Test func whatIsStated_goesBeforeTheDefault() {
    let stated = V4L2Color(colorspace: Space.srgb, encoding: 2, quantization: 1, transfer: 7).description(of: yuyv)
    #expect(stated == ColorDescription(matrix: .rec709, range: .full, transfer: .pq, primaries: .rec709))
    #expect(V4L2Color(colorspace: Space.srgb, quantization: 2).description(of: mjpeg).range == .limited)
  }
}

@Suite struct V4L2PixelFormatTests {
  @Test(arguments: [
    ("YUYV", "yuyv", PixelLayout.yuyv), ("UYVY", "uyvy", .uyvy), ("NV12", "nv12", .nv12), ("NM12", "nv12m", .nv12),
    ("NV21", "nv21", .nv21), ("YU12", "yuv420p", .yuv420p), ("YM12", "yuv420m", .yuv420p), ("YV12", "yv12", .yv12),
    ("422P", "yuv422p", .yuv422p), ("P010", "p010", .p010),
  ])
  func layoutsOfTheBake_goInAsTheyAre(code: String, name: String, layout: PixelLayout) {
    let format = V4L2PixelFormat(code: FourCC(code))
    #expect(format.layout == layout)
    #expect(format.offered.route == .direct)
    #expect(format.offered.name == name)
  }

  @Test func othersTakeTheirRoutes() {
    func route(_ code: String) -> String { "\(V4L2PixelFormat(code: FourCC(code)).offered.route)" }
    #expect(route("MJPG") == "decoded")
    #expect(route("RGB3") == "repacked" && V4L2PixelFormat(code: FourCC("RGB3")).isRGB)
    #expect(route("NV16") == "repacked" && !V4L2PixelFormat(code: FourCC("NV16")).isRGB)
    #expect(route("GREY") == "gray" && route("Y16 ") == "gray")
    #expect(route("BA81") == "vendor" && route("S561") == "vendor")
    #expect(route("H264") == "unreadable" && route("Y16b") == "unreadable")
  }

  @Test func unknownCodes_areNamedByTheirLetters() {
    #expect(V4L2PixelFormat(code: FourCC("H264")).offered.name == "h264")
    #expect(V4L2PixelFormat(code: FourCC("Y4  ")).offered.name == "y4")
    #expect(V4L2PixelFormat(code: FourCC(code: FourCC("Y16 ").code | 0x8000_0000)).offered.name == "y16-be")
  }
}
