import Frames
import Testing
import Viewfinder

@Suite struct ViewArgumentsTests {
  private func refusal(_ words: [String]) -> CamrecError? {
    do {
      _ = try ViewArguments(words: words)
      return nil
    } catch {
      return error
    }
  }

  @Test func whatCamrecViewHandsOn_isRead() throws {
    let arguments = try ViewArguments(words: [
      "--name=front", "--size=800x480", "--measure=2.5", "--full-screen", "--ungraded", "--wait",
    ])
    #expect(arguments.name == "front" && arguments.size == FrameExtent(width: 800, height: 480))
    #expect(arguments.measures == 2.5 && arguments.isFullScreen && !arguments.isGraded && arguments.waits)
    #expect(try ViewArguments(words: ["--monitor", "a b.monitor"]).monitor == "a b.monitor")
    #expect(try ViewArguments(words: []) == ViewArguments())
    for word in ["-h", "--help"] { #expect(try ViewArguments(words: [word]).wantsHelp) }
  }

  @Test(arguments: [
    (["--size=800"], "a window's size is 320x180 to 16384x16384 pixels, as in 1280x720; this is '800'"),
    (["--size=10x10"], "a window's size is 320x180 to 16384x16384 pixels, as in 1280x720; this is '10x10'"),
    (["--size=16386x720"], "a window's size is 320x180 to 16384x16384 pixels, as in 1280x720; this is '16386x720'"),
    (["--measure=0"], "a measurement takes above 0 and at most 86400 seconds; this is '0'"),
    (["--measure=nan"], "a measurement takes above 0 and at most 86400 seconds; this is 'nan'"),
    (["--name"], "the option 'name' needs a value"),
    (["--camera", "sim"], "a viewfinder has no option '--camera'; 'camrec view -h' lists them"),
    (["front"], "a viewfinder takes options only, not 'front'"),
    (["--name=a", "--monitor=b"], "--name and --monitor exclude each other: give one of them"),
    (["--wait=yes"], "a viewfinder has no option '--wait=yes'; 'camrec view -h' lists them"),
  ])
  func mistakes_areNamed(words: [String], sentence: String) {
    #expect(refusal(words)?.code == .usage && refusal(words)?.message == sentence)
  }

  // MARK: The first recorder

  private func start(_ ids: [String], _ name: String?, waits: Bool = false) throws(CamrecError) -> String? {
    try ViewStart.recorder(among: ids.map { RecorderAddress(id: $0) }, name: name, waits: waits)?.id
  }

  private func startRefusal(_ ids: [String], _ name: String?) -> CamrecError? {
    do {
      _ = try start(ids, name)
      return nil
    } catch {
      return error
    }
  }

  @Test func oneRecorderOrTheNamedOne_isTheFirst() throws {
    #expect(try start(["front"], nil) == "front")
    #expect(try start(["back", "front"], "front") == "front")
    #expect(try start(["back", "front"], nil) == nil)
    #expect(try start([], nil, waits: true) == nil)
    #expect(try start(["back"], "front", waits: true) == nil)
  }

  @Test func withoutARecorder_aSentenceSaysWhatToDo() {
    #expect(
      startRefusal([], nil)?.message == "found no running recorder; start one with 'camrec record --standby'")
    #expect(
      startRefusal(["back", "front"], "left")?.message
        == "no running recorder is called 'left'; running: back, front")
    #expect(startRefusal([], "left")?.message == "no running recorder is called 'left'; none is running")
    #expect(startRefusal([], "left")?.code == .device && startRefusal([], nil)?.code == .device)
  }

  @Test func recordersThatShareAName_haveTheirProcessInIt() {
    let all = RecorderAddress.distinct([
      RecorderAddress(id: "front", pid: 9), RecorderAddress(id: "front", pid: 8), RecorderAddress(id: "back", pid: 7),
    ])
    #expect(all.map(\.id) == ["back", "front (8)", "front (9)"])
  }

  @Test func thoseWhoseProcessIsNotKnown_haveTheirSocketInIt() {
    let all = RecorderAddress.distinct([
      RecorderAddress(id: "front", socket: "/run/b.sock"), RecorderAddress(id: "front", socket: "/run/a.sock"),
      RecorderAddress(id: "front", pid: 8, socket: "/run/c.sock"), RecorderAddress(id: "back", socket: "/run/d.sock"),
    ])
    #expect(all.map(\.id) == ["back", "front (/run/a.sock)", "front (/run/b.sock)", "front (8)"])
  }

  @Test func aRecorderThatIsKnownByItsMonitor_hasTheNameThatItSays() {
    let path = "/run/4711.monitor"
    #expect(RecorderAddress(monitor: path, name: "front") == RecorderAddress(id: "front", monitor: path))
    #expect(RecorderAddress(monitor: path, name: nil).id == "4711")
  }

  @Test func aRecorder_isTheSame_whenMoreOfItIsKnown() {
    let starting = RecorderAddress(id: "4711", pid: 4711, socket: "/run/4711.sock")
    var known = RecorderAddress(
      id: "front", pid: 4711, socket: "/run/4711.sock", monitor: "/run/4711.monitor", stateFile: "/run/4711.state.json")
    #expect(known.isSame(as: starting) && starting.isSame(as: known))
    known.id = "front (4711)"
    #expect(known.isSame(as: starting))
    #expect(!RecorderAddress(id: "4711", pid: 4712, socket: "/run/4711.sock").isSame(as: starting))
    #expect(!RecorderAddress(id: "4711").isSame(as: RecorderAddress(id: "4711")))
  }

  @Test func aRecorderWithoutAMonitor_isRefusedWithTheReason() {
    do {
      _ = try RecorderAddress(id: "front", socket: "/tmp/1.sock", stateFile: "/tmp/1.state.json").connectMonitor()
      Issue.record("it has a monitor")
    } catch {
      #expect(error.code == .usage)
      #expect(
        error.message == "the recorder 'front' has no monitor socket: it was started with --monitor none, with "
          + "--control none alone, or with an older camrec; restart it with one")
    }
  }
}
