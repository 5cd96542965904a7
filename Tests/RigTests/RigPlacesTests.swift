import Rig
import Testing

/// Where a rig keeps what its file does not say.
struct RigPlacesTests {
  private func folder(_ environment: [String: String] = [:], rig: String = "/nowhere/front.yaml") -> String {
    RigPlaces(environment: environment, state: "/home/me/.local/state/camrec").settingsFolder(rig: rig)
  }

  @Test func aFolderHasTheRigsName_andAHashOfItsPath() {
    // FNV-1a of the path: settings of today are found after an update.
    #expect(folder() == "/home/me/.local/state/camrec/rig-front-863d4819")
    #expect(folder(rig: "/nowhere/else/front.yaml") != folder() && folder(rig: "/nowhere/back.yaml") != folder())
  }

  @Test func aServiceHasAFolderOfItsOwn() {
    #expect(folder(["STATE_DIRECTORY": "/var/lib/camrec:/var/lib/other"]) == "/var/lib/camrec/rig-front-863d4819")
    #expect(folder(["STATE_DIRECTORY": ""]) == folder() && folder(["STATE_DIRECTORY": "relative"]) == folder())
  }
}
