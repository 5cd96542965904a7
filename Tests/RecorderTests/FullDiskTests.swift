import Audio
import CameraTestKit
import Cameras
import Foundation
import Frames
import MovieTestKit
import Movies
import Recorder
import Sidecar
import Synchronization
import TestKit
import Testing

/// What is said of an output that takes nothing more: the true reason, and what helps.
@Suite struct FullDiskTests {
  @Test func aFullDisk_isNamed_withWhatItCosts_andWhatItLeaves() throws {
    let fault = OutputFault(
      .full, .fragments, path: "my film.mov", frames: 5, bytes: 12_345, cause: "pwrite: No space left on device")
    let outcome = try RecordingSessionTests.record(
      [.frames(1000)], sink: CollectingSink(failAtFrame: 5, fault: fault))
    let lost = outcome.summary.counts.lost(.disk)
    #expect(lost > 0)
    #expect(
      outcome.summary.failure?.message
        == "the disk of 'my film.mov' is full: \(lost) frame\(lost == 1 ? " was" : "s were") lost. "
        + "The film plays, with 5 frames (12.3 kB); make room, then run camrec recover 'my film.mov'")
    #expect(outcome.summary.failure?.cause == nil, "the command stands at the end")
    #expect(abs(outcome.summary.seconds - 5 / 24.0) < 1e-9, "it ends behind its last frame")
    let warnings = outcome.notes.warnings
    #expect(warnings.contains { $0.contains(" lost") && $0.hasSuffix(": the disk is full; make room") }, "\(warnings)")
    #expect(!warnings.contains { $0.contains("too slow") || $0.contains("faster disk") }, "\(warnings)")
  }

  /// The last frames still wait for the disk when the camera goes.
  @Test func aCameraThatGoesJustBeforeTheDiskIsFull_isNotAllThatIsSaid() throws {
    let folder = try TemporaryFolder(), session = Mutex<RecordingSession?>(nil)
    let fault = OutputFault(
      .full, .film, path: folder.path("take-1.mov"), frames: 20, bytes: 20_000, cause: "ENOSPC")
    var script = SegmentShelf.Script(fullDisks: [SegmentShelf.FullDisk(file: 0, frame: 20, fault: fault)])
    script.wrote = { _, frame in
      guard frame == 19 else { return }
      for _ in 0..<6000 where session.withLock({ $0?.hasEndedCapture }) == false { usleep(10_000) }
    }
    let shelf = SegmentShelf(folder: folder.url.path, script: script)
    let outcome = try SegmentSessionTests.record(
      [.frames(23), .ended(.unplugged)], every: nil, shelf: shelf, begins: { begun in session.withLock { $0 = begun } })
    let failure = try #require(outcome.summary.failure), lost = outcome.summary.counts.lost(.disk)
    #expect(failure.code == .device && lost == 3, "\(outcome.summary.counts)")
    #expect(failure.message.hasPrefix("scripted camera was unplugged, and the disk of "), "\(failure.message)")
    #expect(failure.message.contains(" is full: 3 frames were lost. The film plays, with 20 frames"), "\(failure)")
    let end = try SidecarSummary(path: SidecarFile.path(ofFilm: shelf.path(0))).end
    #expect(end?.failure == "scripted camera was unplugged, and \(fault.ending)")
  }

  /// The film before is whole, and the failure is not about it.
  @Test func aSegmentThatGetsNoFrame_isTheOneThatTheFailureIsAbout() throws {
    let fault = OutputFault(
      .full, .nothing, path: "memory/take-2.mov", frames: 0, bytes: 0, cause: "pwrite: No space left on device")
    let script = SegmentShelf.Script(fullDisks: [SegmentShelf.FullDisk(file: 1, frame: 0, fault: fault)])
    let outcome = try SegmentSessionTests.record([.frames(60)], shelf: SegmentShelf(script: script))
    #expect(outcome.summary.movie?.path == "memory/take-1.mov")
    #expect(outcome.summary.failedFilm == "memory/take-2.mov")
    #expect(outcome.summary.identity == outcome.told.segments.last?.identity, "of the film that is there")
    #expect(outcome.summary.movie?.frames == 24 && abs(outcome.summary.seconds - 1) < 1e-9, "\(outcome.summary)")
  }

  /// The end of the first file does not fit, and then no more of the second.
  @Test func atASeam_eachFileHasItsOwnLosses_andTheRecordOfItsEnd() throws {
    let folder = try TemporaryFolder()
    func fault(_ file: Int, _ frames: Int64) -> OutputFault {
      OutputFault(
        .full, .fragments, path: folder.path("take-\(file).mov"), frames: frames, bytes: frames * 1000,
        cause: "pwrite: No space left on device")
    }
    let script = SegmentShelf.Script(fullDisks: [
      SegmentShelf.FullDisk(file: 0, frame: 24, fault: fault(1, 12), stored: 12),
      SegmentShelf.FullDisk(file: 1, frame: 5, fault: fault(2, 5)),
    ])
    let shelf = SegmentShelf(folder: folder.url.path, script: script)
    let summary = try SegmentSessionTests.record([.frames(500)], shelf: shelf).summary
    let all = summary.counts.lost(.disk), first = fault(1, 12).error(lost: 12)
    #expect(all > 12 && summary.failure == first && summary.failedFilm == fault(1, 12).path, "\(summary)")
    let ends = try (0..<2).map { try SidecarSummary(path: SidecarFile.path(ofFilm: shelf.path($0))).end }
    #expect(ends[0]?.losses[.disk] == 12 && ends[0]?.failure == fault(1, 12).ending, "\(ends)")
    #expect(ends[1]?.losses[.disk] == Int64(all - 12) && ends[1]?.failure == fault(2, 5).ending, "\(ends)")
  }

  /// The sink gets each frame twice, the second one for a frame that is missing behind it.
  @Test(arguments: [(48, 24, 24), (47, 24, 23), (101, 51, 50), (0, 0, 0)])
  func whatTheDiskRefused_isDividedBetweenFramesAndRepeats(_ stored: Int, _ written: Int, _ repeated: Int) throws {
    var options = SessionOptions(overload: .wait)
    options.fillsGaps = true
    let lines = (0..<50).flatMap { _ in [ScriptedCamera.Line.frames(1), .gap(1)] } + [.frames(1)]
    let summary = try RecordingSessionTests.record(
      lines, options: options, sink: CollectingSink(stored: stored)
    ).summary
    #expect(summary.counts.written == written && summary.repeated == repeated, "\(summary)")
    #expect(summary.counts.lost(.disk) == 51 - written && summary.counts.lost(.deviceGap) == 50, "\(summary)")
  }

  private static let full = OutputFault(
    .full, .film, path: "take.mov", frames: 50, bytes: 1000, cause: "pwrite: No space left on device")

  /// The microphone is silent from 0.2 s on, and the disk full in front of that or behind it.
  @Test(arguments: [4000, 20_000] as [Int64])
  func soundThatTheDiskRefused_isLostOnce_silenceIncluded(stored: Int64) throws {
    let sink = CollectingSink(failAtFrame: 50, fault: Self.full, storedSamples: stored)
    let outcome = try RecordingSessionTests.record(
      [.frames(1000)], sink: sink, microphone: FadingMicrophone(frames: 9600), resampler: CountingResampler())
    let sound = try #require(outcome.summary.sound), due = Int64(outcome.summary.counts.expected) * 2000
    #expect(sound.frames == stored && sound.refusedFrames == due - stored, "\(sound)")
    #expect(sound.lostFrames == sound.silentFrames + due - stored, "\(sound)")
    #expect(abs(sound.silentFrames - max(0, stored - 9600)) < 100, "\(sound)")
    #expect(outcome.notes.soundLost == sound.lostFrames, "\(outcome.notes.warnings)")
  }

  @Test func soundThatTheDiskRefused_isToldWithTheReason() throws {
    let sink = CollectingSink(failAtFrame: 50, fault: Self.full, storedSamples: 48_000)
    let outcome = try RecordingSessionTests.record(
      [.frames(1000)], sink: sink, microphone: FadingMicrophone(frames: 4_800_000), resampler: CountingResampler())
    let warnings = outcome.notes.warnings.filter { $0.contains("of audio") }
    #expect(
      warnings.count == 1
        && warnings.allSatisfy {
          $0.contains(" s of audio was lost (from 1.0") && $0.hasSuffix(" s on): the disk is full; make room")
        },
      "\(warnings)")
    #expect(outcome.notes.soundLost == outcome.summary.sound?.lostFrames)
  }

  @Test func silentPlaces_divideAPartOfAFile() {
    var places = SilentPlaces()
    for run in [100..<200, 200..<250, 400..<500] as [Range<Int64>] { places.add(run) }
    #expect(places.count(from: 0) == 250 && places.count(from: 240) == 110 && places.count(from: 500) == 0)
    #expect(places.sounds(in: 0..<600) == [0..<100, 250..<400, 500..<600])
    #expect(places.sounds(in: 150..<450) == [250..<400] && places.sounds(in: 120..<130) == [])
    #expect(places.sounds(in: 500..<510) == [500..<510])
    for place in 0..<5000 as Range<Int64> { places.add(1000 + 2 * place..<1001 + 2 * place) }
    #expect(places.count(from: 1000) == 1024, "a film of months has as much memory as one of minutes")
  }

  /// Each sample once, those that the microphone had lost before as well.
  @Test(arguments: [PulledMicrophone(frames: 48_000), FadingMicrophone(frames: 12_000)] as [any Microphone])
  func aFilmThatCannotBegin_losesItsAudioToo(microphone: any Microphone) throws {
    let error = CamrecError(.output, "cannot start 'take.mov' as a mov file")
    let outcome = try RecordingSessionTests.record(
      [.frames(24)], microphone: microphone, resampler: microphone.isPulled ? nil : CountingResampler(),
      openError: error)
    let lost = outcome.summary.counts.lost(.disk), sound = try #require(outcome.summary.sound)
    #expect(lost > 0 && sound.frames == 0)
    // At most as long as the picture.
    #expect(sound.refusedFrames > 0 && (sound.refusedFrames...48_000).contains(sound.lostFrames), "\(sound)")
    #expect(outcome.notes.warnings.contains { $0.contains(" of audio was lost") }, "\(outcome.notes.warnings)")
  }

  /// Two recorders of one name: the second one's disk is not slow.
  @Test func aNameThatIsTaken_isTheReasonOfItsLosses() throws {
    let error = CamrecError(.output, "'take.mov' exists already; choose another --output", cause: "File exists")
    let outcome = try RecordingSessionTests.record([.frames(1000)], openError: error)
    #expect(outcome.summary.failure == error && outcome.summary.counts.lost(.disk) > 0)
    let warnings = outcome.notes.warnings
    #expect(warnings.contains { $0.contains(" lost") && $0.hasSuffix(": \(error.message)") }, "\(warnings)")
    #expect(!warnings.contains { $0.contains("too slow") }, "\(warnings)")
  }

  @Test func eachReason_hasItsRemedy_andARecoveryOnlyWhereThereIsOne() {
    func sentence(_ reason: OutputFault.Reason, _ rest: OutputFault.Rest, lost: Int = 0) -> String {
      OutputFault(reason, rest, path: "a.mov", frames: 1, bytes: 999, cause: "").error(lost: lost).message
    }
    #expect(
      sentence(.quota, .film, lost: 1)
        == "the disk quota for 'a.mov' is used up: 1 frame was lost. The film plays, with 1 frame (999 bytes); "
        + "make room")
    #expect(
      sentence(.full, .nothing)
        == "the disk of 'a.mov' is full. No part of the film plays, so it is not kept; make room")
    #expect(sentence(.full, .unfinished) == "the disk of 'a.mov' is full. The unfinished film was not kept; make room")
    let baked = OutputFault(.fileSize, .film, path: "a.mkv", frames: 2, bytes: 999, cause: "", isLive: false)
    #expect(
      baked.error().message == "'a.mkv' has reached the system's limit for file sizes. The film plays, with 2 frames "
        + "(999 bytes); raise the file size limit", "a bake has no segments")
    for reason in [OutputFault.Reason.full, .quota, .fileSize, .unconfirmed, .refused] {
      #expect(sentence(reason, .fragments).hasSuffix(", then run camrec recover a.mov"))
      #expect(!sentence(reason, .film).contains("recover") && !sentence(reason, .nothing).contains("recover"))
    }
  }

  /// A sidecar outlives the remedy.
  @Test func aSidecar_saysWhyAFilmEnded_andNotWhatToDo() {
    func ending(_ reason: OutputFault.Reason) -> String {
      OutputFault(reason, .fragments, path: "a.mov", frames: 1, bytes: 999, cause: "pwrite: I/O error").ending
    }
    #expect(ending(.full) == "the disk of 'a.mov' is full")
    #expect(ending(.refused) == "cannot continue writing 'a.mov' (pwrite: I/O error)")
    for reason in [OutputFault.Reason.full, .quota, .fileSize, .unconfirmed, .refused] {
      for told in ["make room", "recover", "plays", "lost"] { #expect(!ending(reason).contains(told)) }
    }
  }

  /// The remedy is true: nobody has to run a command.
  @Test func inARig_theRigRecoversTheFilm() {
    func sentence(_ reason: OutputFault.Reason, _ rest: OutputFault.Rest) -> String {
      OutputFault(reason, rest, path: "a.mov", frames: 2, bytes: 999, cause: "", isOfRig: true).error().message
    }
    #expect(
      sentence(.full, .fragments)
        == "the disk of 'a.mov' is full. The film plays, with 2 frames (999 bytes), and the rig recovers it as soon "
        + "as it can; make room")
    #expect(sentence(.refused, .fragments).hasSuffix(", and the rig recovers it as soon as it can; check the disk"))
    for reason in [OutputFault.Reason.full, .quota, .fileSize, .unconfirmed, .refused] {
      #expect(!sentence(reason, .fragments).contains("camrec recover") && !sentence(reason, .film).contains("the rig"))
    }
  }

  @Test(arguments: [
    ("full.mov", "full.mov"), ("films/%Y-%m-%d.mov", "films/%Y-%m-%d.mov"), ("my film.mov", "'my film.mov'"),
    ("Bob's.mov", #"'Bob'\''s.mov'"#), ("-x.mov", "./-x.mov"), ("Übung.mov", "Übung.mov"), ("$(x).mov", "'$(x).mov'"),
    ("", "''"),
  ])
  func commandsCanBeCopied(_ name: String, _ word: String) { #expect(ShellWord.of(name) == word) }
}
