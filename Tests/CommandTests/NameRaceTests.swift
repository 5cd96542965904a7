import Foundation
import TestKit
import Testing

/// Recorders that are started in one second and share an output.
@Suite struct NameRaceTests {
  @Test(arguments: [["--output", "%Y-%m-%d_%H-%M-%S.mov"], ["--output", "take.mov", "--segment", "1h"]])
  func eachHasAFilmOfItsOwn(output: [String]) throws {
    let folder = try TemporaryFolder(), camrec = try CamrecBinary.find()
    let recorders = try (0..<3).map { _ in
      try camrec.start(
        ["--camera", "sim:pace=pulled", "--size", "64x36", "--frames", "12", "--microphone", "none", "--codec",
          "prores", "--control", "none", "--state", "none"] + output, in: folder.url)
    }
    for recorder in recorders {
      let outcome = recorder.wait(timeout: 60)
      #expect(outcome.exitCode == 0, "\(outcome)")
    }
    let names = try folder.names
    #expect(names.count { $0.hasSuffix(".mov") } == 3, "\(names)")
    for film in names where film.hasSuffix(".mov") {
      #expect(try Probe(folder.path(film)).video["nb_frames"] as? String == "12", "\(film)")
      let sidecar = try String(contentsOfFile: folder.path(film + ".camrec"), encoding: .utf8)
      #expect(sidecar.contains(film), "it names its own film")
    }
  }
}
