import Frames
import RecorderAPI
import Testing
import Viewfinder

@Suite struct PictureZoomTests {
  private static let width = 1280, height = 720

  private func wish(_ model: ViewModel) throws -> PictureWish {
    try #require(model.wish(for: "front", width: PictureZoomTests.width, height: PictureZoomTests.height))
  }

  private func rect(_ model: ViewModel) throws -> ViewRect {
    try #require(Window.common[0].commands(model).pictures.first).rect
  }

  @Test(arguments: [(1920, 1080), (3840, 2160), (1921, 1081)])
  func fullSize_isOnePixelForOne(width: Int, height: Int) throws {
    var model = Made.single(Made.state(.standby, width: width, height: height))
    _ = model.press(digit: 1, at: Made.now)
    let wish = try wish(model)
    model.update("front") { $0.picture = Made.picture(wish.width, 600, part: wish.part) }
    #expect(wish.part.width * Double(width) == Double(wish.width) && wish.width <= 1280)
    let left = wish.part.x * Double(width), top = wish.part.y * Double(height)
    #expect(abs(left - left.rounded()) < 1e-6 && Int(left.rounded()) % 2 == 0)
    #expect(abs(top - top.rounded()) < 1e-6 && Int(top.rounded()) % 2 == 0)
    #expect(Window.common[0].commands(model).words.contains("1:1"))
    _ = model.press(digit: 1, at: Made.now)
    #expect(try self.wish(model).part == .whole)
  }

  @Test func aFrameSmallerThanTheWindow_isShownWholeInItsOwnSize() throws {
    var model = Made.single(Made.state(.standby, width: 640, height: 360), Made.picture(640, 360))
    #expect(try rect(model).width > 1000)
    _ = model.press(.fullSize, at: Made.now)
    let rect = try rect(model)
    #expect(rect.width == 640 && rect.height == 360)
    #expect(try wish(model).part == .whole)
  }

  @Test func aTurnedFrame_hasItsSidesExchanged() throws {
    var model = Made.single(Made.state(.standby, width: 1920, height: 1080), Made.picture(360, 640))
    _ = model.press(.fullSize, at: Made.now)
    let wish = try wish(model)
    #expect(wish.width == 1080 && wish.part.width == 1 && wish.part.height < 0.4)
  }

  @Test func theWheel_keepsWhatIsUnderTheMouse() throws {
    var model = Made.single(Made.state(.standby))
    let rect = try rect(model), point = ViewPoint(x: rect.x + rect.width / 4, y: rect.y + rect.height / 4)
    for _ in 0..<4 {
      model.turnWheel(1, at: point, width: PictureZoomTests.width, height: PictureZoomTests.height)
      let part = try wish(model).part
      #expect(abs(part.x + part.width / 4 - 0.25) < 0.002 && abs(part.y + part.height / 4 - 0.25) < 0.002)
    }
    #expect(abs(try wish(model).part.width - 1 / 2.44140625) < 0.001)
    #expect(Window.common[0].commands(model).words.contains("2.4×"))
    for _ in 0..<4 { model.turnWheel(-1, at: point, width: PictureZoomTests.width, height: PictureZoomTests.height) }
    #expect(try wish(model).part == .whole)
    for _ in 0..<100 { model.turnWheel(3, at: point, width: PictureZoomTests.width, height: PictureZoomTests.height) }
    #expect(try wish(model).width >= 100, "a pixel is at most eight of the window")
  }

  @Test func dragging_movesThePictureWithTheMouse_andNotBeyondItsEdge() throws {
    var model = Made.single(Made.state(.standby, width: 3840, height: 2160))
    _ = model.press(.fullSize, at: Made.now)
    let before = try wish(model).part
    func drag(_ right: Int, _ down: Int, _ model: inout ViewModel) {
      model.pressButton(at: ViewPoint(x: 600, y: 300), width: PictureZoomTests.width, height: PictureZoomTests.height)
      // In many small steps.
      for step in 1...40 {
        let point = ViewPoint(x: 600 + right * step / 40, y: 300 + down * step / 40)
        model.move(to: point, width: PictureZoomTests.width, height: PictureZoomTests.height)
      }
      model.releaseButton()
    }
    drag(-40, 20, &model)
    let after = try wish(model).part
    #expect(abs((after.x - before.x) * 3840 - 40) < 2.01 && abs((after.y - before.y) * 2160 + 20) < 2.01)
    for _ in 0..<200 { drag(-40, -40, &model) }
    let end = try wish(model).part
    #expect(abs(end.x + end.width - 1) < 1e-9 && abs(end.y + end.height - 1) < 1e-9)
    // Without the button nothing moves.
    model.move(to: ViewPoint(x: 0, y: 0), width: PictureZoomTests.width, height: PictureZoomTests.height)
    #expect(try wish(model).part == end)
  }

  @Test func untilTheNewPictureComes_theOldOneShowsWhatItHas() throws {
    var model = Made.single(Made.state(.standby))
    let whole = try rect(model)
    for _ in 0..<3 {
      model.turnWheel(
        1, at: ViewPoint(x: 640, y: 360), width: PictureZoomTests.width, height: PictureZoomTests.height)
    }
    let wanted = try wish(model).part
    let shown = try #require(Window.common[0].commands(model).pictures.first)
    #expect(shown.rect == whole && abs(shown.part.x - wanted.x) < 1e-9 && abs(shown.part.width - wanted.width) < 1e-9)
    // A picture of a part shows where it belongs when all is wanted again.
    model.update("front") { $0.picture = Made.picture(960, 540, part: wanted) }
    _ = model.press(.back, at: Made.now)
    let small = try #require(Window.common[0].commands(model).pictures.first)
    #expect(small.part == .whole && abs(small.rect.width - Int(wanted.width * Double(whole.width))) <= 1)
  }

  @Test func escape_showsAllOfThePictureBeforeAllCameras() throws {
    var model = Made.wall(["back", "front"])
    _ = model.press(digit: 2, at: Made.now)
    _ = model.press(.fullSize, at: Made.now)
    _ = model.press(.back, at: Made.now)
    #expect(model.single?.id == "front")
    #expect(try wish(model).part == .whole)
    _ = model.press(.back, at: Made.now)
    #expect(model.single == nil)
  }
}
