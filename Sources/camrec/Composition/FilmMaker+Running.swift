import Color
import Foundation
import Frames
import Movies
import Recorder

extension FilmMaker {
  /// Checks what can be checked without a camera, opens the source, makes the film, and ends the process's command.
  ///
  /// - Parameters:
  ///   - output: the path as it was given.
  ///   - hasSidecar: writes one beside a film; hashes have none.
  ///   - isWhole: where it is stopped before its end, there is no film.
  ///   - open: opens the source; told where the film goes and whether there is a LUT.
  /// - Throws: `Camrec.Ending` with the status where that is not success.
  static func run(
    bake: BakeOptions, encoding: EncodingOptions, file: FileOptions, output: String, session: SessionOptions,
    isLive: Bool, hasSidecar: Bool, exposure: ExposingOptions? = nil, isWhole: Bool = false,
    open: (_ output: OutputPath, _ hasLUT: Bool) throws(CamrecError) -> FilmSource
  ) throws {
    let reporter: any Reporter = file.json ? JSONReporter() : HumanReporter()
    let status: ExitStatus
    do throws(CamrecError) {
      let output = try OutputPath(pattern: output, date: Date())
      try output.check(overwrite: file.overwrite)
      let lut: LookupTable? = if let path = bake.lut { try LookupTable(readingFile: path) } else { nil }
      let request = Request(
        bake: bake, encoding: encoding.encoding, file: file, output: output, lut: lut, session: session,
        exposure: exposure?.options, exposureTrace: exposure?.exposureTrace, isLive: isLive,
        hasSidecar: hasSidecar && output.container != .framemd5)
      let signals = StopSignals()
      let maker = try FilmMaker(try open(output, lut != nil), request)
      let session = maker.session()
      signals.watch(
        stop: { session.requestStop() }, leftover: { [left = request.leftover] in session.hasBegunMovie ? left : nil })
      maker.announce(to: reporter)
      let concluded = maker.conclude(session.run(observer: reporter), to: reporter)
      if isWhole, signals.haveCome {
        unsafe unlink(output.path)
        status = .interrupted
      } else {
        status = concluded
      }
    } catch {
      reporter.refused(error)
      status = ExitStatus(error)
    }
    if status != .success { throw Camrec.Ending(status: status) }
  }
}

extension FilmMaker.Request {
  /// What is left of a film that was not finished.
  var leftover: String { leftover(of: output) }

  func leftover(of output: OutputPath) -> String {
    switch output.container {
    case .mov where isLive: "'\(output.path)' stays in fragments, and plays up to the last of them"
    case .mov: "'\(output.path)' was not finished and has no index: it does not play; delete it"
    case .mkv: "'\(output.path)' was not finished, and plays up to its last cluster"
    case .framemd5: "'\(output.path)' was not finished; its lines are right as far as they go"
    }
  }
}
