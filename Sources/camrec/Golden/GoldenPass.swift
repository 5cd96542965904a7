import ArgumentParser
import Bake
import Color
import Foundation
import Frames
import Goldens
import MediaFFmpeg
import Movies
import Recorder

/// Takes a case's clip through decoder and bake as `camrec bake` does, and hashes its pictures on their way.
struct GoldenPass {
  private let entry: GoldenCase
  /// Of what is written meanwhile.
  private let folder: String
  private let workers: Int?

  init(_ entry: GoldenCase, folder: String, workers: Int?) {
    self.entry = entry
    self.folder = folder
    self.workers = workers
  }

  /// The file of a stage's hashes.
  func path(_ stage: GoldenStage) -> String { "\(folder)/\(entry.name).\(stage.rawValue).framemd5" }

  /// - Parameter begun: is given the session, which may be told to stop: the hashes are then those of a part.
  /// - Throws: code `input`: the clip is missing, is another than the suite says, has a picture that does not decode, or
  ///   was cut off; `usage`: its colours and the case's do not go together.
  func run(begun: (RecordingSession) -> Void) throws(CamrecError) {
    try entry.checkClip()
    let limit = entry.words.frames
    let session = SessionOptions(overload: .wait, limit: limit.map { .frames($0) })
    let frames = FilmMaker.sourceFrames(session)
    let clip = try ClipCamera.open(path: entry.path, paced: false, frames: frames)
    let camera = try HashingCamera(clip, path: path(.read), limit: limit)
    let source = FilmSource(camera: camera, clip: clip, isPulled: true, hasTwoClocks: false)
    let running = try FilmMaker(source, try request(session)).session()
    begun(running)
    let summary = running.run(observer: SilentReporter())
    if let failure = summary.failure { throw failure }
    try camera.finish()
    guard !clip.isCutOff else {
      throw CamrecError(
        .input, "the clip '\(entry.path)' ends before the end that it promises", cause: clip.endWarnings.last)
    }
    let lost = summary.counts.totalLost
    guard lost == 0 else {
      throw CamrecError(
        .input, "\(lost) picture\(lost == 1 ? " does" : "s do") not decode of the clip '\(entry.path)'",
        cause: clip.endWarnings.first)
    }
  }

  private func request(_ session: SessionOptions) throws(CamrecError) -> FilmMaker.Request {
    var bake = entry.words.bake
    bake.workers = workers
    let lut: LookupTable? = if let path = bake.lut { try LookupTable(readingFile: path) } else { nil }
    guard let file = try? FileOptions.parse([]) else {
      throw CamrecError(.defect, "the options of a file cannot be left out")
    }
    return FilmMaker.Request(
      bake: bake, encoding: VideoEncoding(codec: entry.words.codec, profile: entry.words.profile), file: file,
      output: try OutputPath(pattern: path(.baked).replacing("%", with: "%%"), date: Date()), lut: lut,
      session: session, isLive: false, hasSidecar: false)
  }
}
