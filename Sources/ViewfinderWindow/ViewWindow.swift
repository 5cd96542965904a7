import CSDL2
public import Frames
import Synchronization
public import Viewfinder

/// A window that draws what it is told, and says what a user does with it. A process has one, until it ends.
///
/// Thread: main, except `wake`.
public final class ViewWindow {
  private let window: OpaquePointer
  private let renderer: OpaquePointer
  private var glyphs: GlyphTextures?
  private var pictures: PictureTextures?
  private var title = ""
  private var mouse = ViewPoint(x: 0, y: 0)
  /// The key that was pressed last is held, and repeats.
  private var isRepeated = false

  /// SDL takes events.
  private static let isOpen = Mutex(false)

  /// Of a window that may choose its size, as parts of the screen.
  private static let share = 0.9
  private static let preferred = FrameExtent(width: 1280, height: 720)

  /// Opens a window.
  ///
  /// - Parameters:
  ///   - size: in pixels; `nil`: 1280×720, or less on a small screen.
  /// - Throws: code `device` without a display.
  public init(title: String, size: FrameExtent?, isFullScreen: Bool) throws(CamrecError) {
    SDL_SetMainReady()
    // Pictures that have nearly the size of their place are not scaled; others are while a zoom changes.
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "linear")
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0")
    // What the software renderer has drawn goes to the screen without OpenGL.
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0")
    // SDL has drivers that draw nowhere: they are for who asks for them.
    let isAskedFor = SDL_GetHint(SDL_HINT_VIDEODRIVER).map { $0.pointee != 0 } ?? false
    guard SDL_Init(SDL_INIT_VIDEO) == 0 else { throw ViewWindow.noDisplay(SDLCall.failure) }
    let driver = String(cString: SDL_GetCurrentVideoDriver())
    guard isAskedFor || !["dummy", "offscreen", "evdev"].contains(driver) else {
      SDL_Quit()
      throw ViewWindow.noDisplay("SDL found only its driver '\(driver)'")
    }
    let extent = size ?? ViewWindow.extent()
    let flags = SDL_WINDOW_RESIZABLE.rawValue | (isFullScreen ? SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue : 0)
    // SDL_WINDOWPOS_CENTERED, which is a macro.
    let centered = Int32(bitPattern: 0x2FFF_0000)
    let window = try SDLCall.make("a window") {
      SDL_CreateWindow(title, centered, centered, Int32(extent.width), Int32(extent.height), flags)
    }
    // Without waiting for the screen: that would cost up to a frame.
    let renderer = try ViewWindow.renderer(for: window)
    (self.window, self.renderer) = (window, renderer)
    glyphs = GlyphTextures(renderer)
    pictures = PictureTextures(renderer)
    SDL_StartTextInput()
    ViewWindow.isOpen.withLock { $0 = true }
  }

  deinit {
    // Threads may still call `wake`.
    ViewWindow.isOpen.withLock { $0 = false }
    (glyphs, pictures) = (nil, nil)
    SDL_DestroyRenderer(renderer)
    // SDL wakes itself over a second connection to the X server, for each event that it pushes while it waits, and so
    // for the key that quits. Such an event that the server reads after the window's end would end this process with an
    // error. The end of the process closes both connections at once.
    if SDL_GetCurrentVideoDriver().map({ String(cString: $0) }) == "x11" { return }
    SDL_DestroyWindow(window)
    SDL_Quit()
  }

  /// SDL's choice, or its own software where OpenGL would be made by software: that is slower.
  private static func renderer(for window: OpaquePointer) throws(CamrecError) -> OpaquePointer {
    let chosen = try SDLCall.make("a renderer") { SDL_CreateRenderer(window, -1, 0) }
    var facts = SDL_RendererInfo()
    guard SDL_GetRendererInfo(chosen, &facts) == 0, String(cString: facts.name).hasPrefix("opengl"),
      ["llvmpipe", "softpipe", "swrast", "SwiftShader"].contains(where: openGLName.contains)
    else { return chosen }
    SDL_DestroyRenderer(chosen)
    return try SDLCall.make("a renderer") { SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE.rawValue) }
  }

  /// What OpenGL says of what draws.
  private static var openGLName: String {
    typealias GetString = @convention(c) (UInt32) -> UnsafePointer<UInt8>?
    guard let address = SDL_GL_GetProcAddress("glGetString") else { return "" }
    // GL_RENDERER
    return unsafeBitCast(address, to: GetString.self)(0x1F01).map { String(cString: $0) } ?? ""
  }

  private static func noDisplay(_ cause: String) -> CamrecError {
    CamrecError(
      .device, "camrec view needs a display; camrec snapshot writes a picture", cause: cause)
  }

  private static func extent() -> FrameExtent {
    var bounds = SDL_Rect()
    guard SDL_GetDisplayUsableBounds(0, &bounds) == 0, bounds.w > 0, bounds.h > 0 else { return preferred }
    if Int(bounds.w) >= preferred.width, Int(bounds.h) >= preferred.height { return preferred }
    return FrameExtent(width: Int(Double(bounds.w) * share), height: Int(Double(bounds.h) * share))
  }

  // MARK: The window

  /// In pixels.
  public var size: FrameExtent {
    var width: Int32 = 0, height: Int32 = 0
    if SDL_GetRendererOutputSize(renderer, &width, &height) != 0 { SDL_GetWindowSize(window, &width, &height) }
    return FrameExtent(width: Int(width), height: Int(height))
  }

  /// Nobody can see it.
  public var isHidden: Bool {
    SDL_GetWindowFlags(window) & (SDL_WINDOW_MINIMIZED.rawValue | SDL_WINDOW_HIDDEN.rawValue) != 0
  }

  public func setTitle(_ text: String) {
    guard text != title else { return }
    title = text
    SDL_SetWindowTitle(window, text)
  }

  public func setFullScreen(_ isFull: Bool) {
    SDL_SetWindowFullscreen(window, isFull ? SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue : 0)
  }

  // MARK: Drawing

  /// Takes over a recorder's latest picture.
  ///
  /// - Returns: whether that has worked.
  public func set(_ picture: borrowing DecodedPicture, for id: ViewedRecorder.ID) -> Bool {
    pictures?.set(picture, for: id) ?? false
  }

  /// Forgets the pictures of all others.
  public func keepPictures(of ids: Set<ViewedRecorder.ID>) { pictures?.keep(ids) }

  /// Draws everything, and shows it.
  public func show(_ commands: [DrawCommand]) {
    color(.black)
    SDL_RenderClear(renderer)
    for command in commands { draw(command) }
    SDL_RenderPresent(renderer)
  }

  private func draw(_ command: DrawCommand) {
    switch command {
    case .fill(let rect, let color):
      self.color(color)
      var target = SDL_Rect(x: Int32(rect.x), y: Int32(rect.y), w: Int32(rect.width), h: Int32(rect.height))
      SDL_RenderFillRect(renderer, &target)
    case .text(let text, let x, let y, let height, let color):
      glyphs?.draw(text, x: x, y: y, height: height, color)
    case .line(let points, let color):
      self.color(color)
      let points = points.map { SDL_Point(x: Int32($0.x), y: Int32($0.y)) }
      SDL_RenderDrawLines(renderer, points, Int32(points.count))
    case .picture(let id, let part, let rect): pictures?.draw(id, part, in: rect)
    }
  }

  private func color(_ color: ViewColor) {
    SDL_SetRenderDrawBlendMode(renderer, color.alpha == 255 ? SDL_BLENDMODE_NONE : SDL_BLENDMODE_BLEND)
    SDL_SetRenderDrawColor(renderer, color.red, color.green, color.blue, color.alpha)
  }

  // MARK: Events

  /// Ends a wait for events that is under way, or the next one; does nothing without a window. Thread: any.
  public static func wake() {
    isOpen.withLock { isOpen in
      guard isOpen else { return }
      var event = SDL_Event()
      event.type = SDL_USEREVENT.rawValue
      SDL_PushEvent(&event)
    }
  }

  /// Waits for what a user does.
  ///
  /// - Parameter milliseconds: how long to wait at most.
  public func events(within milliseconds: Int) -> [WindowEvent] {
    var event = SDL_Event(), events: [WindowEvent] = []
    guard SDL_WaitEventTimeout(&event, Int32(milliseconds)) != 0 else { return [] }
    repeat { events += translate(event) } while SDL_PollEvent(&event) != 0
    return events
  }

  private func translate(_ event: SDL_Event) -> [WindowEvent] {
    switch SDL_EventType(rawValue: event.type) {
    case SDL_QUIT: return [.closed]
    case SDL_KEYDOWN:
      isRepeated = event.key.repeat != 0
      guard let key = ViewWindow.key(event.key.keysym), !isRepeated || key != .back else { return [] }
      return [.key(key)]
    case SDL_TEXTINPUT:
      // Nobody starts and stops films by holding a key.
      return typed(event.text).filter { !isRepeated || [.key(.brighter), .key(.darker)].contains($0) }
    case SDL_MOUSEBUTTONDOWN where event.button.button == UInt8(SDL_BUTTON_LEFT):
      mouse = place(event.button.x, event.button.y)
      return [.buttonPressed(mouse)]
    case SDL_MOUSEBUTTONUP where event.button.button == UInt8(SDL_BUTTON_LEFT): return [.buttonReleased]
    case SDL_MOUSEMOTION:
      mouse = place(event.motion.x, event.motion.y)
      return [.moved(mouse)]
    case SDL_MOUSEWHEEL:
      let clicks = Double(event.wheel.preciseY)
      return [.wheel(event.wheel.direction == SDL_MOUSEWHEEL_FLIPPED.rawValue ? -clicks : clicks, mouse)]
    case SDL_WINDOWEVENT, SDL_RENDER_TARGETS_RESET, SDL_RENDER_DEVICE_RESET: return [.exposed]
    default: return []
    }
  }

  /// Keys that type nothing.
  private static func key(_ symbol: SDL_Keysym) -> ViewKey? {
    switch symbol.scancode {
    case SDL_SCANCODE_UP: .brighter
    case SDL_SCANCODE_DOWN: .darker
    case SDL_SCANCODE_LEFT: .previous
    case SDL_SCANCODE_RIGHT: .next
    case SDL_SCANCODE_ESCAPE: .back
    default: nil
    }
  }

  /// Characters as the keyboard's layout has them.
  private func typed(_ event: SDL_TextInputEvent) -> [WindowEvent] {
    let text = withUnsafeBytes(of: event.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return text.compactMap { character in
      if let digit = character.wholeNumberValue, (1...9).contains(digit) { return .digit(digit) }
      return ViewKey(character).map(WindowEvent.key)
    }
  }

  /// A window may have more pixels than units of the mouse.
  private func place(_ x: Int32, _ y: Int32) -> ViewPoint {
    var width: Int32 = 0, height: Int32 = 0
    SDL_GetWindowSize(window, &width, &height)
    let size = size
    return ViewPoint(x: Int(x) * size.width / max(1, Int(width)), y: Int(y) * size.height / max(1, Int(height)))
  }
}
