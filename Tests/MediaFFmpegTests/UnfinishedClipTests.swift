import Audio
import Cameras
import Foundation
import Frames
import MediaFFmpeg
import Movies
import Recovery
import TestKit
import Testing

/// A recording that has no end is no whole clip, even if every frame in it can be read.
struct UnfinishedClipTests {
  private let directory: MovieDirectory
  private let film: MovieRecoveryTests.Killed

  init() throws {
    directory = try MovieDirectory()
    film = try MovieRecoveryTests.Killed(directory)
  }

  private func read(_ path: String) throws -> (camera: ClipCamera, clip: ReadClip) {
    let camera = try ClipCamera.open(path: path, paced: false)
    return (camera, try ReadClip(camera, keepsSamples: false))
  }

  @Test func aKilledRecordingIsCutOff_untilItIsRecovered() throws {
    let path = try film.write(film.bytes, to: directory.path("killed.mov"))
    let remedy = "; to finish it first, run: camrec recover \(path)"
    let (camera, clip) = try read(path)
    #expect(clip.end == .finished && camera.isCutOff && camera.isReadWhole)
    #expect(camera.warnings == ["\(path) is an unfinished film, and not all of it may be read\(remedy)"])
    let sentence = try #require(camera.endWarnings.last)
    let counted = "the \(clip.times.count) frames up to "
    #expect(sentence.hasPrefix("\(path) is an unfinished film: \(counted)"), "\(sentence)")
    #expect(sentence.hasSuffix(" s were read, and its end is missing\(remedy)"), "\(sentence)")
    let found = try FilmRecovery().recover(path)
    #expect(found.frames == clip.times.count)
    let (whole, again) = try read(path)
    #expect(again.times.map(\.ticks) == clip.times.map(\.ticks))
    #expect(!whole.isCutOff && whole.isReadWhole && whole.warnings == [] && whole.endWarnings == [])
  }

  /// libavformat stops at the hole, where a recovery goes on.
  @Test func aHoleIsSaid() throws {
    let fragments = film.fragments
    try #require(fragments.count > 8)
    let hole = (fragments[3] + fragments[4]) / 2..<fragments[5] + 200
    var state = film.bytes
    state.replaceSubrange(hole, with: Array(repeating: 0, count: hole.count))
    let path = try film.write(state, to: directory.path("hole.mov"))
    let (camera, clip) = try read(path)
    let found = try FilmRecovery(isDry: true).recover(path)
    #expect(camera.isCutOff && !camera.isReadWhole && clip.times.count < found.frames)
    let sentence = try #require(camera.endWarnings.last)
    let numbers = "of its \(found.frames) frames, the \(clip.times.count) frames up to "
    #expect(sentence.hasPrefix("\(path) is an unfinished film: \(numbers)"), "\(sentence)")
  }

  @Test func itsLastFragmentIsTorn() throws {
    let last = try #require(film.fragments.last)
    let state = Array(film.bytes[..<((last + film.bytes.count) / 2)])
    let (camera, _) = try read(try film.write(state, to: directory.path("torn.mov")))
    #expect(camera.isCutOff && camera.endWarnings.last?.contains("is an unfinished film: ") == true)
  }

  /// Who asks for no more than is there misses nothing.
  @Test func itsBeginningIsThere() throws {
    let path = try film.write(film.bytes, to: directory.path("killed.mov"))
    let camera = try ClipCamera.open(path: path, paced: false)
    #expect(try ReadClip(camera, keepsSamples: false, limit: 12).times.count == 12)
    #expect(!camera.isCutOff && !camera.isReadWhole && camera.endWarnings == [] && camera.warnings.count == 1)
  }

  @Test func whatIsStillRecordedHasNoEndYet() throws {
    let path = try film.write(film.bytes, to: directory.path("live.mov"))
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    #expect(flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
    let (camera, clip) = try read(path)
    #expect(camera.isCutOff && !camera.isReadWhole)
    #expect(camera.warnings == ["\(path) is still being recorded or recovered, so its end is missing"])
    let sentence = try #require(camera.endWarnings.last)
    #expect(
      sentence.hasPrefix("\(path) was still being recorded or recovered: the \(clip.times.count) frames up to "),
      "\(sentence)")
    // Reading has taken nothing from the recorder.
    #expect(flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
    try file.close()
  }

  /// There is nothing to recover, but its end is missing all the same.
  @Test func aKilledMatroskaIsCutOff() throws {
    let settings = MovieTake.settings(
      directory.path("whole.mkv"), container: .mkv, width: 96, height: 64,
      metadata: [MetadataEntry("software", "camrec 0.1.0")])
    let path = directory.path("killed.mkv"), writer = try MovieWriter.open(settings)
    try MovieTake(settings, frames: 48).record(to: writer) { number in
      writer.settle()
      if number == 47 { try FileManager.default.copyItem(atPath: settings.path, toPath: path) }
    }
    let (camera, clip) = try read(path)
    #expect(camera.isCutOff && camera.isReadWhole && clip.times.count >= 24)
    #expect(camera.warnings == ["\(path) is an unfinished film, and not all of it may be read"])
    let sentence = try #require(camera.endWarnings.last)
    let counted = "the \(clip.times.count) frames up to "
    #expect(sentence.hasPrefix("\(path) is an unfinished film: \(counted)"), "\(sentence)")
    #expect(sentence.hasSuffix(" s were read, and its end is missing"), "\(sentence)")
    let (whole, all) = try read(settings.path)
    #expect(all.times.count == 48 && !whole.isCutOff && whole.warnings == [] && whole.endWarnings == [])
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    #expect(flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
    let live = try read(path).camera
    #expect(live.isCutOff && !live.isReadWhole)
    try file.close()
  }

  /// The frames behind its last one were lost: that one is held until the audio ends. Frame 36 was lost, too, and is
  /// no damage.
  @Test(arguments: [Container.mov, .mkv], [true, false])
  func aLastFrameThatIsHeldToTheEndIsNoCut(container: Container, isLive: Bool) throws {
    let settings = MovieTake.settings(
      directory.path("held.\(container.rawValue)"), container: container, width: 96, height: 64, audio: .standard,
      metadata: [MetadataEntry("software", "camrec 0.2.0")], isLive: isLive)
    let numbers = Array(Int64(0)..<36) + [37]
    try MovieTake(settings, times: numbers.map { $0 * 1000 }, endTime: 48000).record()
    let (camera, clip) = try read(settings.path)
    #expect(!camera.isCutOff && camera.warnings == [] && camera.endWarnings == [])
    #expect(clip.damaged == [] && clip.times.count == 37)
    let last = try #require(clip.times.last), timeBase = try #require(camera.format.timeBase)
    let end = Double(last.ticks + last.duration) * timeBase.doubleValue
    #expect(abs(end - 2) < 0.0011, "\(end)")
    guard container == .mkv else { return }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: settings.path)), path = directory.path("short.mkv")
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path))
    let short = try read(path)
    #expect(short.camera.isCutOff && short.camera.isReadWhole && short.clip.times.count < 37)
  }

  /// Other programs finish a film in fragments.
  @Test func aFilmOfOthersInFragmentsIsWhole() throws {
    let clips = try ClipMaker()
    let path = try clips.make(
      "fragments.mp4", ClipMaker.picture, "-c:v libx264 -pix_fmt yuv420p -movflags +frag_keyframe+empty_moov")
    let (camera, clip) = try read(path)
    #expect(clip.times.count == 25 && !camera.isCutOff && camera.warnings == [] && camera.endWarnings == [])
  }
}
