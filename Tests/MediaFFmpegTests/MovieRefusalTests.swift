import Audio
import Foundation
import Frames
import MediaFFmpeg
import Movies
import Testing

struct MovieRefusalTests {
  private func refusal(_ settings: MovieSettings) -> CamrecError? {
    do throws(CamrecError) {
      _ = try MovieWriter.open(settings)
      return nil
    } catch {
      return error
    }
  }

  private func layoutRefusal(_ encoding: VideoEncoding, container: Container = .mov) -> CamrecError? {
    do throws(CamrecError) {
      _ = try MovieWriter.acceptedLayout(for: encoding, container: container, input: .nv12)
      return nil
    } catch {
      return error
    }
  }

  @Test func existingFileIsNeverTouchedWithoutOverwrite() throws {
    let directory = try MovieDirectory()
    let path = directory.path("take.mov")
    try Data("film".utf8).write(to: URL(fileURLWithPath: path))
    let refused = refusal(MovieTake.settings(path))
    #expect(refused?.code == .output)
    #expect(
      refused?.message == "'\(path)' exists already; choose another --output or allow replacing it with --overwrite")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("film".utf8))
    var settings = MovieTake.settings(path)
    settings.overwrite = true
    #expect(try MovieTake(settings, frames: 24).record().frames == 24)
    #expect(try MovieProbe.times(path).count == 24)
  }

  /// What another recorder writes, or a recovery, is neither replaced nor emptied; when that one is done, it may be.
  @Test func filmThatIsBeingRecordedIsNotReplaced() throws {
    let directory = try MovieDirectory()
    let path = directory.path("take.mov")
    var settings = MovieTake.settings(path)
    settings.overwrite = true
    do {
      let writer = try MovieWriter.open(settings)
      let report = try MovieTake(settings, frames: 24).record(to: writer) { number in
        guard number == 20 else { return }
        let refused = refusal(settings)
        #expect(refused?.code == .output)
        #expect(refused?.message == "'\(path)' is being recorded or recovered right now; choose another --output")
      }
      #expect(report.frames == 24)
      #expect(try MovieProbe.times(path).count == 24)
    }
    #expect(try MovieTake(settings, frames: 12).record().frames == 12)
  }

  @Test func overwritingWaitsUntilTheEncoderIsReady() throws {
    let directory = try MovieDirectory()
    let path = directory.path("take.mov")
    try Data("film".utf8).write(to: URL(fileURLWithPath: path))
    var settings = MovieTake.settings(path, encoding: VideoEncoding(preset: "hasty"))
    settings.overwrite = true
    #expect(refusal(settings)?.code == .usage)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("film".utf8))
  }

  @Test func replacedFileKeepsItsPermissionsAndItsLink() throws {
    let directory = try MovieDirectory()
    let target = directory.path("target.mov")
    let link = directory.path("take.mov")
    try Data("film".utf8).write(to: URL(fileURLWithPath: target))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    var settings = MovieTake.settings(link)
    settings.overwrite = true
    try MovieTake(settings, frames: 24).record()
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
    let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    #expect(try MovieProbe.times(target).count == 24)
    #expect(directory.names == ["take.mov", "target.mov"])
  }

  @Test func placesWhereNoFileCanBeAreNamed() throws {
    let directory = try MovieDirectory()
    let folder = directory.url.path
    #expect(refusal(MovieTake.settings(folder))?.message == "'\(folder)' is a folder; name a file in it")
    var settings = MovieTake.settings(folder)
    settings.overwrite = true
    #expect(refusal(settings)?.message == "'\(folder)' is a folder; name a file in it")
    let lost = directory.path("nowhere/take.mov")
    #expect(
      refusal(MovieTake.settings(lost))?.message
        == "the folder of '\(lost)' does not exist; create it or choose another --output")
    // Nobody may create a file there, not even root; others are told that they may not.
    let strange = "/proc/take-\(UUID().uuidString).mov"
    if geteuid() == 0 {
      #expect(
        refusal(MovieTake.settings(strange))
          == CamrecError(.output, "cannot create '\(strange)'", cause: "No such file or directory"))
    }
    let long = directory.path(String(repeating: "x", count: 300) + ".mov")
    #expect(refusal(MovieTake.settings(long))?.message == "the name '\(long)' is too long for this file system")
    let pipe = directory.path("pipe.mov")
    #expect(mkfifo(pipe, 0o600) == 0)
    settings.path = pipe
    #expect(
      refusal(settings)?.message
        == "'\(pipe)' is not an ordinary file, which a film has to be; choose another --output")
    #expect(directory.names == ["pipe.mov"])
  }

  /// Asked before the camera starts: an encoder that the machine cannot run is not found first by a recording.
  @Test func encoderThatDoesNotOpenIsToldEarly() throws {
    let directory = try MovieDirectory()
    for name in ["hevc_nvenc", "hevc_vaapi", "hevc_qsv"] {
      let settings = MovieTake.settings(directory.path("take.mov"), encoding: VideoEncoding(encoder: name))
      #expect(checked(settings) == refusal(settings))
    }
    #expect(checked(MovieTake.settings(directory.path("take.mov"))) == nil)
  }

  private func checked(_ settings: MovieSettings) -> CamrecError? {
    do throws(CamrecError) {
      _ = try MovieWriter.check(settings)
      return nil
    } catch {
      return error
    }
  }

  @Test func linkToAFileThatIsReplacedInVainStays() throws {
    let directory = try MovieDirectory()
    let target = directory.path("target.mov"), link = directory.path("take.mov")
    try Data("film".utf8).write(to: URL(fileURLWithPath: target))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    var settings = MovieTake.settings(link)
    settings.overwrite = true
    #expect(try MovieTake(settings, frames: 0).record().frames == 0)
    // As without a link: the file that was emptied for the recording is gone.
    #expect(directory.names == ["take.mov"])
  }

  @Test func recordingWithoutPicturesLeavesNoFile() throws {
    let directory = try MovieDirectory()
    for isLive in [true, false] {
      let settings = MovieTake.settings(directory.path("take.mov"), audio: .standard, isLive: isLive)
      let report = try MovieTake(settings, frames: 0).record()
      #expect(report.frames == 0)
      #expect(report.bytes == 0)
      #expect(report.warnings == ["no frame was stored; '\(settings.path)' was not kept"])
      #expect(directory.names == [])
    }
  }

  @Test func unknownEncodersAreRefusedWithThoseThatExist() {
    let none = layoutRefusal(VideoEncoding(encoder: "libx266"))
    #expect(none?.code == .usage && none?.reason == .notOffered && none?.field == .encoder)
    #expect(
      none?.message.hasPrefix(
        "this FFmpeg has no hevc encoder 'libx266' that takes yuv420p frames from memory; it has: ") == true)
    #expect(none?.message.contains("libx265") == true)
    #expect(none?.message.contains("vaapi") == false, "those that want frames in a device's memory are left out")
    #expect(layoutRefusal(VideoEncoding(encoder: "libx264"))?.message.contains("has no hevc encoder") == true)
    #expect(layoutRefusal(VideoEncoding(codec: .prores, encoder: "ffv1"))?.message.contains("prores_aw") == true)
  }

  @Test(arguments: [
    (VideoEncoding(preset: "hasty"), "libx265 has no preset 'hasty'; it has ultrafast, superfast, veryfast"),
    (VideoEncoding(profile: "main8"), "HEVC has no profile 'main8'; it has main, main10, main422-10"),
    (VideoEncoding(codec: .prores, profile: "xq"), "ProRes has no profile 'xq'; it has proxy, lt, standard, hq, 4444"),
    (VideoEncoding(codec: .ffv1, profile: "main"), "ffv1 has no profiles; leave out --profile main"),
    (
      VideoEncoding(rate: .quality(52)),
      "quality 52 is outside libx265's CRF range, 0 (lossless) to 51; the default is 20"
    ),
    (VideoEncoding(rate: .quality(-1)), "quality -1 is outside libx265's CRF range"),
    (VideoEncoding(rate: .bitrate(40)), "a bitrate of 40 bit/s is too low; write 40M for 40 Mbit/s"),
    (VideoEncoding(codec: .ffv1, rate: .quality(1)), "ffv1 is lossless and has no quality or bitrate"),
    (VideoEncoding(codec: .prores, rate: .bitrate(1_000_000)), "prores_aw's size follows from its profile"),
    (VideoEncoding(codec: .prores, preset: "fast"), "prores_aw has no presets; leave out --preset fast"),
    (VideoEncoding(codec: .ffv1, preset: "fast"), "ffv1 has no presets; leave out --preset fast"),
  ])
  func settingsThatAnEncoderLacksAreRefused(encoding: VideoEncoding, sentence: String) throws {
    let directory = try MovieDirectory()
    var layout = PixelLayout.yuv420p
    do { layout = try MovieWriter.acceptedLayout(for: encoding, container: .mov, input: .nv12) } catch {}
    let refused = refusal(MovieTake.settings(directory.path("take.mov"), layout: layout, encoding: encoding))
    #expect(refused?.code == .usage)
    #expect(refused?.message.hasPrefix(sentence) == true, "\(refused?.message ?? "accepted")")
    #expect(directory.names == [])
  }

  @Test func oddAndTinySizesAreRefusedWhereChromaIsShared() throws {
    let directory = try MovieDirectory()
    let path = directory.path("take.mov")
    #expect(
      refusal(MovieTake.settings(path, width: 1279, height: 719))?.message
        == "1279x719 is odd, but libx265 shares chroma between pairs of pixels in yuv420p; use --codec ffv1 or "
        + "an even size (1278x718); to crop a clip, run: ffmpeg -i CLIP -vf crop=1278:718 -c:v ffv1 -c:a copy EVEN.mkv")
    #expect(
      refusal(MovieTake.settings(path, width: 8, height: 8))?.message
        == "8x8 is too small for HEVC, which needs at least 16x16"
    )
    #expect(refusal(MovieTake.settings(path, width: 32768, height: 16))?.code == .usage)
    #expect(directory.names == [])
    let settings = MovieTake.settings(path, width: 65, height: 33, encoding: VideoEncoding(codec: .ffv1))
    #expect(try MovieTake(settings, frames: 5).record().frames == 5)
    #expect(try MovieProbe(path).video["width"] as? Int == 65)
  }

  /// Each remedy that is named works.
  @Test func anOddSizeInProRes() throws {
    let directory = try MovieDirectory()
    func settings(_ profile: String, _ encoder: String?, _ layout: PixelLayout, width: Int = 65) -> MovieSettings {
      MovieTake.settings(
        directory.path("\(profile)-\(encoder ?? "auto").mov"), width: width, height: 33, layout: layout,
        encoding: VideoEncoding(codec: .prores, encoder: encoder, profile: profile))
    }
    let crop = "an even size (64x32); to crop a clip, run: ffmpeg -i CLIP -vf crop=64:32 -c:v ffv1 -c:a copy EVEN.mkv"
    #expect(
      refusal(settings("hq", nil, .yuv422p10))?.message
        == "65x33 is odd, but prores_aw shares chroma between pairs of pixels in yuv422p10; use --codec ffv1, "
        + "--profile 4444 --encoder prores_ks, or \(crop)")
    let refused = refusal(settings("4444", nil, .yuv444p10))
    #expect(refused?.code == .usage)
    #expect(
      refused?.message
        == "65x33 has an odd width, which prores_aw does not take; use --encoder prores_ks, --codec ffv1 or \(crop)")
    #expect(directory.names == [])
    for taken in [settings("4444", "prores_ks", .yuv444p10), settings("4444", nil, .yuv444p10, width: 64)] {
      #expect(try MovieTake(taken, frames: 5).record().frames == 5)
      let video = try MovieProbe(taken.path).video
      #expect(video["width"] as? Int == taken.format.width && video["height"] as? Int == 33)
    }
  }

  @Test func framesThatDoNotFitAreRefused() throws {
    let directory = try MovieDirectory()
    let settings = MovieTake.settings(directory.path("take.mov"))
    let writer = try MovieWriter.open(settings)
    let owner = CountingOwner(FrameFormat(width: 64, height: 64, layout: .yuv420p, color: .rec709))
    let refused = #expect(throws: CamrecError.self) { try writer.write(owner.lend(), at: 0) }
    #expect(
      refused?.message == "'\(settings.path)' was given a 64x64 yuv420p frame, but it takes 192x128 yuv420p")
    #expect(owner.back == 1)
    let right = CountingOwner(settings.format)
    try writer.write(right.lend(), at: 1000)
    #expect(throws: CamrecError(.defect, "a frame at tick 1000 came after one at tick 1000")) {
      try writer.write(right.lend(), at: 1000)
    }
    #expect(try writer.finish(at: 2000).frames == 1)
    #expect(try writer.finish(at: 2000).frames == 1, "finishing twice is finishing once")
    #expect(right.back == 2)
  }
}
