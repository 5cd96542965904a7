import Cameras
import Frames
import Testing

/// A camera as many are: uncompressed at full rate only when small, JPEG at every size.
private let webcam: [CameraMode] = {
  let yuyv = OfferedFormat(code: FourCC("YUYV"), names: ["yuyv", "yuy2"], route: .direct)
  let mjpeg = OfferedFormat(code: FourCC("MJPG"), names: ["mjpeg", "mjpg"], route: .decoded)
  let h264 = OfferedFormat(code: FourCC("H264"), names: ["h264"], route: .unreadable)
  return [
    mode(yuyv, 640, 480, [30, 24, 15]), mode(yuyv, 1280, 720, [10]), mode(yuyv, 1920, 1080, [5]),
    mode(mjpeg, 640, 480, [30, 24, 15]), mode(mjpeg, 1280, 720, [60, 30, 24]), mode(mjpeg, 1920, 1080, [30, 24]),
    mode(mjpeg, 3840, 2160, [24, 12]), mode(h264, 1920, 1080, [60]),
  ]
}()

private let nv12 = OfferedFormat(code: FourCC("NV12"), names: ["nv12"], route: .direct)

private func mode(_ format: OfferedFormat, _ width: Int, _ height: Int, _ rates: [Int64]) -> CameraMode {
  CameraMode(
    format: format, size: PictureSize(width: width, height: height),
    rates: .list(rates.compactMap { FrameRate(Rational($0)) }))
}

private func rate(_ text: String) throws -> FrameRate { try #require(FrameRate(parsing: text)) }

/// What is chosen, as `1920x1080 24 mjpeg`.
private func choice(_ modes: [CameraMode], _ request: CameraRequest = CameraRequest()) throws -> String {
  let selection = try ModeSelection(from: modes, request: request, camera: "cam")
  return "\(selection.size) \(selection.rate) \(selection.format.name)"
}

private func refusal(_ modes: [CameraMode], _ request: CameraRequest) -> CamrecError? {
  do throws(CamrecError) {
    _ = try ModeSelection(from: modes, request: request, camera: "cam")
    return nil
  } catch {
    return error
  }
}

@Suite struct ModeSelectionTests {
  @Test func sizeThatADriverSetsInsteadIsToldOrRefused() throws {
    let set = PictureSize(width: 640, height: 360), chosen = PictureSize(width: 640, height: 480)
    func judged(_ size: PictureSize, isAsked: Bool = true, nearest: Bool) throws(CamrecError) -> String? {
      try ModeSelection.judge(
        size: size, chosen: chosen, isAsked: isAsked, nearest: nearest, format: "yuyv", camera: "cam")
    }
    #expect(try judged(chosen, nearest: false) == nil)
    #expect(try judged(set, isAsked: false, nearest: false) == nil)
    #expect(try judged(set, nearest: true) == "cam offers yuyv at 640x480 but sets 640x360; it records 640x360")
    let error = #expect(throws: CamrecError.self) { try judged(set, nearest: false) }
    #expect(error?.code == .device)
    #expect(
      error?.message
        == "cam offers yuyv at 640x480 but sets 640x360; use --size 640x360 or another --pixel-format")
  }

  @Test func nothingAsked_takes24AtTheLargestSizeUpTo1080() throws {
    #expect(try choice(webcam) == "1920x1080 24 mjpeg")
  }

  @Test func without24_takesTheHighestRateUpTo30_thenTheLargestSizeWithIt() throws {
    #expect(try choice([mode(nv12, 640, 480, [15, 30]), mode(nv12, 1280, 720, [10]), mode(nv12, 320, 240, [60])])
      == "640x480 30 nv12")
    #expect(try choice([mode(nv12, 640, 480, [60, 90]), mode(nv12, 320, 240, [120])]) == "640x480 60 nv12")
    #expect(try choice([mode(nv12, 640, 480, [25, 60])]) == "640x480 25 nv12")
  }

  @Test func onlyLargerThan1080_takesTheSmallestOfThem() throws {
    #expect(try choice([mode(nv12, 4096, 2160, [24, 30]), mode(nv12, 2560, 1440, [24])]) == "2560x1440 24 nv12")
  }

  @Test func portraitAndWideSizesCountByBothSides() throws {
    #expect(try choice([mode(nv12, 1080, 1920, [24]), mode(nv12, 720, 1080, [24])]) == "720x1080 24 nv12")
  }

  @Test func uncompressedIsPreferredOnlyWhereItReachesSizeAndRate() throws {
    #expect(try choice(webcam, CameraRequest(width: 640, height: 480)) == "640x480 24 yuyv")
    #expect(try choice(webcam, CameraRequest(width: 1280, height: 720)) == "1280x720 24 mjpeg")
    #expect(try choice(webcam, CameraRequest(width: 1280, height: 720, frameRate: rate("10"))) == "1280x720 10 yuyv")
  }

  @Test func routesRankInTheirOrder_equalsInTheCameras() throws {
    let routes: [OfferedFormat.Route] = [.gray, .vendor, .decoded, .repacked, .direct]
    var modes = routes.map {
      mode(OfferedFormat(code: FourCC("CODE"), names: ["\($0)"], route: $0), 640, 480, [24])
    }
    for expected in routes.reversed() {
      #expect(try choice(modes) == "640x480 24 \(expected)")
      modes.removeLast()
    }
    let uyvy = OfferedFormat(code: FourCC("UYVY"), names: ["uyvy"], route: .direct)
    #expect(try choice([mode(uyvy, 640, 480, [24]), mode(nv12, 640, 480, [24])]) == "640x480 24 uyvy")
  }

  @Test func rateAsked_takesTheLargestSizeThatHasIt() throws {
    #expect(try choice(webcam, CameraRequest(frameRate: rate("60"))) == "1280x720 60 mjpeg")
    #expect(try choice(webcam, CameraRequest(frameRate: rate("12"))) == "3840x2160 12 mjpeg")
  }

  @Test func formatAsked_isFoundByEachOfItsNames() throws {
    #expect(try choice(webcam, CameraRequest(pixelFormat: "yuyv")) == "640x480 24 yuyv")
    #expect(try choice(webcam, CameraRequest(pixelFormat: "YUY2")) == "640x480 24 yuyv")
    let planes = OfferedFormat(code: FourCC("NM12"), names: ["nv12m", "nv12"], route: .direct)
    #expect(try choice([mode(planes, 64, 48, [24]), mode(nv12, 64, 48, [24])], CameraRequest(pixelFormat: "nv12"))
      == "64x48 24 nv12")
  }

  @Test func sizeNotOffered_namesTheNearest() throws {
    let request = CameraRequest(width: 1300, height: 700)
    #expect(refusal(webcam, request)?.code == .usage)
    #expect(
      refusal(webcam, request)?.message
        == "cam does not offer 1300x700 (nearest: 1280x720); use --size 1280x720 or --nearest")
    let inFormat = CameraRequest(width: 2000, height: 1100, pixelFormat: "yuyv")
    #expect(
      refusal(webcam, inFormat)?.message
        == "cam does not offer 2000x1100 in yuyv (nearest: 1920x1080); use --size 1920x1080 or --nearest")
  }

  @Test func rateNotOffered_namesTheNearest() throws {
    let request = CameraRequest(width: 1920, height: 1080, frameRate: try rate("25"))
    #expect(refusal(webcam, request)?.code == .usage)
    #expect(
      refusal(webcam, request)?.message
        == "cam does not offer 25 frames per second at 1920x1080 (nearest: 24); use --fps 24 or --nearest")
  }

  @Test func aChange_isGivenNoRemedyThatOnlyAStartHas() throws {
    var size = CameraRequest(width: 1300, height: 700)
    size.isChange = true
    #expect(refusal(webcam, size)?.message.hasSuffix("; use --size 1280x720") == true)
    var request = CameraRequest(width: 1920, height: 1080, frameRate: try rate("25"))
    request.isChange = true
    #expect(refusal(webcam, request)?.message.hasSuffix("; use --fps 24") == true)
  }

  @Test func nearest_takesWhatIsNearestAndSaysSo() throws {
    let request = CameraRequest(width: 1300, height: 700, frameRate: try rate("50"), nearest: true)
    let selection = try ModeSelection(from: webcam, request: request, camera: "cam")
    #expect(try choice(webcam, request) == "1280x720 60 mjpeg")
    #expect(
      selection.warnings == [
        "cam does not offer 1300x700; it records 1280x720, the nearest",
        "cam offers 60 frames per second, not 50; it records at 60",
      ])
  }

  @Test func rateWithinATenthOfAPercent_goesOnWithAWarning() throws {
    let request = CameraRequest(frameRate: try rate("29.97"))
    let selection = try ModeSelection(from: webcam, request: request, camera: "cam")
    #expect(selection.rate == (try rate("30")))
    #expect(
      selection.warnings == ["cam offers 30 frames per second, not 29.970 (30000/1001); it records at 30"])
    #expect(refusal(webcam, CameraRequest(frameRate: try rate("30.04")))?.code == .usage)
  }

  @Test func formatNotOffered_namesThoseThatAre() {
    let refused = refusal(webcam, CameraRequest(pixelFormat: "nv12"))
    #expect(refused?.code == .usage)
    #expect(refused?.message == "cam does not offer pixel format nv12; it offers yuyv, mjpeg")
    #expect(
      refusal(webcam, CameraRequest(pixelFormat: "h264"))?.message
        == "camrec cannot read pixel format h264 from cam; use one of yuyv, mjpeg")
  }

  @Test func nothingReadable_isADeviceError() {
    let refused = refusal(webcam.filter { $0.format.route == .unreadable }, CameraRequest())
    #expect(refused?.code == .device)
    #expect(refused?.message == "cam offers no pixel format that camrec reads; it has h264")
    #expect(refusal([], CameraRequest())?.message.contains("libcamera") == true)
  }

  @Test func unknownRates_takeWhatIsAskedOr24() throws {
    let silent = CameraMode(format: nv12, size: PictureSize(width: 64, height: 48), rates: .unknown)
    #expect(try choice([silent]) == "64x48 24 nv12")
    #expect(try choice([silent], CameraRequest(frameRate: rate("17"))) == "64x48 17 nv12")
  }

  @Test func rangeOfRates_holdsWhatLiesInside() throws {
    let ranged = CameraMode(
      format: nv12, size: PictureSize(width: 64, height: 48),
      rates: .range(shortest: Rational(1, 60), longest: Rational(1, 5), step: nil))
    #expect(try choice([ranged]) == "64x48 24 nv12")
    #expect(try choice([ranged], CameraRequest(frameRate: rate("23.976"))) == "64x48 24000/1001 nv12")
    #expect(refusal([ranged], CameraRequest(frameRate: try rate("90")))?.message.contains("(nearest: 60)") == true)
  }

  @Test func setRate_isJudgedAgainstWhatWasAsked() throws {
    let asked = try rate("24")
    func judge(_ set: String, nearest: Bool = false) throws -> String? {
      try ModeSelection.judge(rate: rate(set), asked: asked, size: nil, nearest: nearest, camera: "cam")
    }
    #expect(try judge("24") == nil)
    #expect(try judge("23.976")?.contains("records at 23.976 (24000/1001)") == true)
    #expect(try judge("20", nearest: true)?.contains("not 24") == true)
    #expect(throws: CamrecError.self) { try judge("20") }
    #expect(
      try ModeSelection.judge(rate: rate("20"), asked: nil, size: nil, nearest: false, camera: "cam") == nil)
  }
}

@Suite struct ModeOfferTests {
  @Test func rangeOfSizes_offersTheAskedOneOnItsSteps() {
    let range = SizeOffer.range(
      smallest: PictureSize(width: 160, height: 120), largest: PictureSize(width: 4000, height: 3000),
      step: PictureSize(width: 16, height: 8))
    func only(_ width: Int, _ height: Int) -> String {
      range.candidates(for: PictureSize(width: width, height: height)).map(\.description).joined()
    }
    #expect(only(640, 480) == "640x480")
    #expect(only(641, 483) == "640x480")
    #expect(only(650, 485) == "656x488")
    #expect(only(10, 10) == "160x120")
    #expect(only(9000, 9000) == "4000x3000")
    #expect(range.candidates(for: nil) == [PictureSize(width: 1920, height: 1080)])
  }

  @Test func rangeOfSizes_staysInsideWhereItsEndIsOffItsSteps() {
    let range = SizeOffer.range(
      smallest: PictureSize(width: 2, height: 2), largest: PictureSize(width: 101, height: 55),
      step: PictureSize(width: 10, height: 0))
    #expect(range.candidates(for: nil) == [PictureSize(width: 92, height: 55)])
    #expect(range.candidates(for: PictureSize(width: 100, height: 54)) == [PictureSize(width: 92, height: 54)])
  }

  @Test func steppedRates_areExactFractions() throws {
    let stepped = RateOffer.range(shortest: Rational(1, 100), longest: Rational(1, 10), step: Rational(1, 1000))
    #expect(stepped.nearest(to: try rate("24")) == FrameRate(Rational(1000, 42)))
    #expect(stepped.nearest(to: try rate("50")) == FrameRate(Rational(50)))
    #expect(stepped.nearest(to: try rate("1000")) == FrameRate(Rational(100)))
    #expect(stepped.nearest(to: try rate("1")) == FrameRate(Rational(10)))
    #expect(RateOffer.list([]).nearest(to: try rate("24")) == nil)
  }

  @Test func steppedRates_ofEveryDriver_doNotOverflow() throws {
    let largest = Int64(UInt32.max)
    let odd = RateOffer.range(
      shortest: Rational(largest - 4, largest * 100), longest: Rational(largest, 7),
      step: Rational(largest - 2, largest - 1))
    let nearest = odd.nearest(to: try rate("0.5"))
    #expect(nearest == nil || (nearest?.framesPerSecond ?? 0) > 0)
  }

  @Test(arguments: [
    (333_333, "30"), (333_667, "30000/1001"), (416_667, "24"), (417_083, "24000/1001"), (400_000, "25"),
    (166_833, "60000/1001"), (166_834, "60000/1001"), (166_667, "60"), (166_666, "60"), (83_333, "120"),
    (1_333_333, "10000000/1333333"), (666_667, "15"), (2_000_000, "5"), (10_000_000, "1"),
  ])
  func unitsOf100Nanoseconds_meanTheRateThatWasMeant(units: Int, expected: String) {
    #expect(FrameRate(interval: Rational(Int64(units), 10_000_000))?.description == expected)
  }

  @Test func simplifiedIntervals_meanTheRateThatWasMeant() {
    // What uvcvideo makes of 333667 units.
    #expect(FrameRate(interval: Rational(100, 2997))?.description == "30000/1001")
    #expect(FrameRate(interval: Rational(1001, 24000))?.description == "24000/1001")
    #expect(FrameRate(interval: Rational(2, 25))?.description == "25/2")
    #expect(FrameRate(interval: Rational(0)) == nil)
    #expect(FrameRate(interval: Rational(1, 5000)) == nil)
  }
}
