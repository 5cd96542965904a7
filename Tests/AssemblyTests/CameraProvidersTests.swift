import Assembly
import Cameras
import Frames
import Recorder
import Reporting
import Testing

/// A kind of camera that is in the list of providers needs nothing else to be used.
struct CameraProvidersTests {
  private func providers(_ bench: BenchProvider = BenchProvider()) -> CameraProviders {
    CameraProviders(CameraProviders.standard.all + [bench])
  }

  private func settings(_ camera: String, among providers: CameraProviders) throws -> SourceSettings {
    SourceSettings(camera: try providers.address(parsing: camera), frameRate: try FrameRate(argument: "50"))
  }

  @Test func anotherKindIsReadAndWritten() throws {
    let providers = providers()
    for text in ["bench:a", "/dev/video0", "sim", "sim:seed=3", "clip:a.mov"] {
      let address = try providers.address(parsing: text)
      #expect(address.written == text && providers[address]?.kind == address.kind, "\(text)")
    }
    #expect(RecorderName.standard(try providers.address(parsing: "bench:a"), among: providers) == "bench")
  }

  @Test func completionsOfferTheCamerasThatAreListed() {
    let kinds = CameraProviders([BenchProvider()] + CameraProviders.standard.all.filter { !$0.traits.isHardware })
    #expect(kinds.completions() == ["sim", "clip:", "bench:a", "bench:b"])
    #expect(kinds.completions(controls: true) == ["sim", "bench:a", "bench:b"])
  }

  @Test func aRefusalNamesEveryKind() throws {
    let known = "a camera is /dev/videoN, /dev/v4l/by-id/…, sim, sim:OPTIONS"
    for text in ["", "video0", "simulated", "clip", "clip:", "bench:a"] {
      #expect(throws: CamrecError(.usage, "\(known) or clip:PATH"), "\(text)") { try CameraAddress(parsing: text) }
    }
    #expect(throws: CamrecError(.usage, "\(known), clip:PATH or bench:NAME")) {
      try providers().address(parsing: "benches")
    }
    let bench = try providers().address(parsing: "bench:a")
    #expect(throws: CamrecError(.usage, "\(known) or clip:PATH")) {
      try CameraProviders.standard.provider(of: bench)
    }
  }

  /// So that a program can show the error beside the setting.
  @Test func aWrongCamera_namesItsSetting() throws {
    let unknown = #expect(throws: CamrecError.self) { try CameraAddress(parsing: "nix") }
    #expect(unknown?.field == .camera)
    let clip = try settings("clip:/none/there.mov", among: .standard)
    let missing = #expect(throws: CamrecError.self) {
      _ = try FilmSource.open(
        SourceSettings(camera: clip.camera), among: .standard, microphone: .auto, colorIn: nil, hasLUT: false,
        frames: 4)
    }
    #expect(missing?.message == "there is no clip /none/there.mov" && missing?.field == .camera)
  }

  @Test func itsCamerasAreListed_alsoThoseThatAreAway() {
    let list = CameraProviders([BenchProvider()]).list()
    #expect(list.map(\.path) == ["bench:a", "bench:b"] && list.map(\.problem) == [nil, BenchProvider.away])
    let lines = DeviceListing.lines(cameras: list, microphones: [], gpus: [])
    #expect(lines.prefix(3) == ["bench:a Bench", "bench:b Bench", "  not usable: it is away"])
    let none = DeviceListing.lines(cameras: [], microphones: [], gpus: [])
    #expect(none.first == "no cameras; --camera sim simulates one")
  }

  @Test func itIsCheckedAndOpened() throws {
    let providers = providers(), here = try settings("bench:a", among: providers)
    try FilmSource.check(here, among: providers, colorIn: nil, hasLUT: false)
    let source = try FilmSource.open(
      here, among: providers, microphone: .auto, colorIn: nil, hasLUT: false, frames: 4)
    #expect(source.camera.name == "scripted camera" && source.warnings == ["opened bench:a"])
    #expect(source.camera.format.frameRate == here.frameRate, "the order reaches the provider")
    #expect(source.microphone == nil && source.clip == nil && !source.hasTwoClocks && !source.isPulled)
    #expect(try providers.openControls(here.camera, keeping: .forGood).identity == "bench:a")

    let away = try settings("bench:b", among: providers)
    #expect(throws: CamrecError(.device, BenchProvider.away)) {
      try FilmSource.check(away, among: providers, colorIn: nil, hasLUT: false)
    }
    #expect(throws: CamrecError(.device, BenchProvider.away)) {
      _ = try FilmSource.open(away, among: providers, microphone: .auto, colorIn: nil, hasLUT: false, frames: 4)
    }
  }

  private func simulated(_ options: String, colorIn: String) throws -> FilmSource {
    try FilmSource.open(
      SourceSettings(
        camera: try CameraAddress(parsing: "sim:pace=pulled\(options)"), size: try FrameSize(parsing: "64x48")),
      microphone: .none, colorIn: try ColorName(parsing: colorIn), hasLUT: false, frames: 2)
  }

  /// PQ and HLG have no formula for scenes.
  @Test(arguments: ColorName.all.map(\.name))
  func theSimulatedCameraDeliversTheColoursThatAreNamed_orSaysThatItCannot(name: String) throws {
    let source = try simulated("", colorIn: name)
    guard !["pq", "hlg"].contains(name) else {
      #expect(!source.honorsColorIn && source.camera.format.color == .rec709)
      #expect(
        source.warnings == [
          "the simulated camera delivers rec709, not \(name): with --color-in \(name) the film's colours are wrong"
        ])
      return
    }
    let color = try ColorName(parsing: name)
    #expect(source.honorsColorIn && source.warnings == [])
    #expect(source.camera.format.color == color.description(range: .limited))
    #expect(try simulated(",range=full", colorIn: name).camera.format.color == color.description(range: .full))
    #expect(try simulated("", colorIn: name + "-full").camera.format.color == color.description(range: .full))
  }

  /// The frames are what the camera's own options say.
  @Test func aTransferThatTheSimulatedCameraIsToldBesides_isSaid() throws {
    let other = try simulated(",transfer=vlog", colorIn: "slog3")
    #expect(other.camera.format.color.transfer == .vlog && !other.honorsColorIn)
    #expect(
      other.warnings == [
        "the simulated camera delivers vlog, not slog3: with --color-in slog3 the film's colours are wrong"
      ])
    #expect(try simulated(",transfer=vlog", colorIn: "vlog").warnings == [])
  }

  @Test func withoutAName_theFirstThatThereIs() throws {
    var bench = BenchProvider()
    #expect(throws: CamrecError.self) { try CameraProviders([bench]).chosen(nil) }
    bench.firstName = "a"
    let chosen = try CameraProviders([BenchProvider(), bench]).chosen(nil)
    #expect(chosen.written == "bench:a")
    let source = try FilmSource.open(
      SourceSettings(), among: CameraProviders([bench]), microphone: .none, colorIn: nil, hasLUT: false, frames: 4)
    #expect(source.warnings == ["opened bench:a"])
  }

  @Test func aRecorderTakesItsFrames_butNotStills() throws {
    let change = SourceChange(camera: "bench:a")
    let films = try RecordedFilms(RecordingSettings(), among: providers(), reporter: SilentReporter())
    try films.check(change)
    #expect(films.isSameCamera(change, SourceChange(camera: "bench:A", size: "16x16")))
    #expect(!films.isSameCamera(change, SourceChange(camera: "bench:b")))
    #expect(!films.isSameCamera(SourceChange(camera: "clip:a.mov"), SourceChange(camera: "clip:a.mov")))

    var stills = BenchProvider()
    stills.traits.delivery = .stills
    let others = try RecordedFilms(RecordingSettings(), among: providers(stills), reporter: SilentReporter())
    let refusal = #expect(throws: CamrecError.self) { try others.check(change) }
    #expect(refusal?.code == .usage && refusal?.message.hasPrefix("a bench camera takes stills") == true)
  }

  @Test func aCameraWithoutAFrameRateMakesNoFilm() throws {
    var bench = BenchProvider(), order = FilmOrder(exposure: nil)
    bench.hasRate = false
    (order.source, order.isTrial) = (SourceChange(camera: "bench:a"), true)
    let films = try RecordedFilms(RecordingSettings(), among: providers(bench), reporter: SilentReporter())
    let refusal = #expect(throws: CamrecError.self) { _ = try films.prepare(order) }
    #expect(refusal?.code == .usage && refusal?.reason == .notOffered && refusal?.field == .camera)
    #expect(
      refusal?.message
        == "scripted camera has no frame rate, so it cannot record films; choose another --camera")
  }

  @Test func onlyAFilesPathIsMadeAbsolute() {
    let providers = providers()
    for text in ["clip:/a.mov", "sim:", "sim:faults=a.txt", "/dev/video0", "bench:A", "nothing"] {
      #expect(providers.absolute(text) == text)
    }
    let absolute = providers.absolute("clip:a.mov")
    #expect(absolute.hasPrefix("clip:/") && absolute.hasSuffix("/a.mov"))
  }

  @Test func soundComesWithSimulatedCamerasAndClips() throws {
    let providers = providers()
    for text in ["sim", "clip:a.mov"] { #expect(providers.hasOwnSound(try providers.address(parsing: text))) }
    for text in ["/dev/video0", "bench:a"] { #expect(!providers.hasOwnSound(try providers.address(parsing: text))) }
    #expect(!providers.hasOwnSound(nil))
  }
}
