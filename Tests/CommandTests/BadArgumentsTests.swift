import Foundation
import TestKit
import Testing

/// Arguments that cannot be meant: one sentence, status 64, and nothing is created.
@Suite struct BadArgumentsTests {
  struct Case: CustomTestStringConvertible {
    let arguments: [String]
    let sentence: String
    var testDescription: String { arguments.joined(separator: " ") }

    init(_ arguments: String, _ sentence: String) {
      self.arguments = arguments.split(separator: " ").map(String.init)
      self.sentence = sentence
    }
  }

  static let cases = [
    Case("--fps 0", "a frame rate is greater than 0 and at most 1000, as in 24, 23.976 or 24000/1001"),
    Case("--fps 1e9", "a frame rate is greater than 0 and at most 1000"),
    Case("--fps -24", "a frame rate is greater than 0 and at most 1000"),
    Case("--fps 24/0", "a frame rate is greater than 0 and at most 1000"),
    Case("--duration -1", "a duration is greater than 0, as in 10s, 1m30s, 500ms or 2h"),
    Case("--duration 0s", "a duration is greater than 0"),
    Case("--duration 10", "write a number and its unit (h, m, s, ms, us), as in 10s, 1m30s, 500ms or 2h"),
    Case("--duration soon", "write a number and its unit"),
    Case("--duration 99999999h", "a time of more than a year is too long"),
    Case("--segment soon", "write a time (10m, 1h30m), a size (500MB, 2GB, 4GiB), or clock: and a time (clock:10m)"),
    Case("--segment 10", "write a time (10m, 1h30m), a size (500MB, 2GB, 4GiB), or clock: and a time (clock:10m)"),
    Case("--segment 500ms", "a segment lasts at least 1s, as in 10m; '500ms' is too short"),
    Case("--segment -1h", "a segment lasts at least 1s, as in 10m"),
    Case("--segment 10kB", "a segment has at least 100kB, as in 2GB; '10kB' is too small"),
    Case(
      "--segment clock:7m",
      "clock: needs whole seconds that divide a day evenly, as in clock:10m, clock:1h or clock:24h; not '7m'"),
    Case("--segment clock:", "clock: needs whole seconds that divide a day evenly"),
    Case("--segment clock:48h", "clock: needs whole seconds that divide a day evenly"),
    Case("--output %D.mov", "which leads out of the folder; use patterns without a /, as in %Y-%m-%d_%H-%M-%S"),
    Case("--frames 0", "the number of frames is at least 1"),
    Case("--frames 24 --duration 1s", "--duration and --frames exclude each other"),
    Case("--size 1920", "write width and height in pixels, as in 1920x1080"),
    Case("--size 0x1080", "width and height are 16 to 16384 pixels"),
    Case("--size 99999x1080", "width and height are 16 to 16384 pixels"),
    Case("--heat-limit 200", "a heat limit is auto, off, or 30 to 120 degrees Celsius, as in 80"),
    Case("--heat-limit -5", "a heat limit is auto, off, or 30 to 120 degrees Celsius, as in 80"),
    Case("--bitrate 40X", "a bitrate is 1k to 10G bits per second, as in 40M, 12.5M or 800k"),
    Case("--bitrate 0", "a bitrate is 1k to 10G bits per second"),
    Case("--quality -3", "the quality is 0 to 255"),
    Case("--quality 20 --bitrate 40M", "--quality and --bitrate exclude each other"),
    Case("--workers 0", "the number of workers is 1 to 256"),
    Case("--workers two", "the number of workers is 1 to 256"),
    Case("--rotation 45", "a rotation is auto, or 0, 90, 180 or 270 degrees clockwise"),
    Case("--interpolation cubic", "Please provide one of 'tetrahedral' and 'trilinear'"),
    Case(
      "--lut a.cube --look portra-400",
      "--lut and --look exclude each other; to have both, write the look as a table with 'camrec look export' and"),
    Case("bake in.mov --output out.mov --lut a.cube --look portra-400", "--lut and --look exclude each other"),
    Case("--grain-seed 3", "--grain-seed is for --look, which adds grain"),
    Case("bake in.mov --list clips --output {clip}.mov", "a clip and --list exclude each other: give one of them"),
    Case("bake --list clips --report x.json --output {clip}.mov", "Unknown option '--report'"),
    Case("bake in.mov --output out.mov --grain-seed 3", "--grain-seed is for --look, which adds grain"),
    Case("--look portra-400 --grain-seed -1", "the seed of the grain is 0 to 4294967295"),
    Case("--look portra-400 --grain-seed 4294967296", "the seed of the grain is 0 to 4294967295"),
    Case("--camera sim --look no-such-look --output take.mov", "there is no look 'no-such-look'; "),
    Case("bake in.mov --output out.mov --look no-such-look", "there is no look 'no-such-look'; "),
    Case(
      "--camera sim --look a.cube --output take.mov",
      "'a.cube' is neither a look's name nor the path of a look file, which ends in .yaml"),
    Case("--codec h264", "Please provide one of 'hevc', 'prores' or 'ffv1'"),
    Case("--on-overload wait", "Please provide one of 'drop' and 'stop'"),
    Case("--audio-offset 60s", "the audio can be shifted by at most 1s, as in 20ms or -20ms"),
    Case("--audio-offset=-1001ms", "the audio can be shifted by at most 1s"),
    Case(
      "--max-loss 199ms",
      "a loss limit is 200ms to 10s: below, a fragment is shorter than a frame; above, too much waits in memory"),
    Case("--max-loss 11s", "a loss limit is 200ms to 10s"),
    Case("--max-loss 1", "write a number and its unit"),
    Case("--audio-offset 20", "write a number and its unit"),
    Case(
      "--color-in kodachrome",
      "colours are rec709, rec601, rec2020, apple-log, slog3, vlog, logc3, logc4, flog2, clog3, srgb, display-p3"),
    Case(
      "--color-in apple-log --color-out rec709",
      "give --lut FILE.cube (camrec lut make --from NAME --to NAME makes one)"),
    Case("--camera webcam", "a camera is /dev/videoN, /dev/v4l/by-id/…, sim, sim:OPTIONS or clip:PATH"),
    Case("--camera clip:", "a camera is /dev/videoN"),
    Case("--shutter 180", "Unknown option '--shutter'"),
    Case("--shutter-angle 0", "a shutter angle is greater than 0° and at most 360°"),
    Case("--shutter-angle 361", "a shutter angle is greater than 0° and at most 360°"),
    Case("--shutter-angle wide", "this is 'wide'"),
    Case("--exposure manual --iso 0", "an ISO speed must be 1 to 10000000, not '0'"),
    Case("--iso 400", "--iso is for --exposure manual; otherwise ISO follows the light"),
    Case("--ev 20", "an exposure offset is -16 to 16 EV, as in 0.5 or +1/3; this is '20'"),
    Case("--metering sideways", "the metering is average, centre, highlight or spot:X,Y; this is 'sideways'"),
    Case("--metering spot:2,0", "a point in the frame is X,Y, each from 0"),
    Case("--mains 55", "the mains frequency is off, 50 or 60 (Hz); this is '55'"),
    Case("--exposure locked --shutter-angle 90", "--exposure locked keeps the camera's exposure time"),
    Case("--exposure auto --mains 50", "--mains chooses a shutter angle, but --exposure auto varies it"),
    Case(
      "--exposure locked --mains 50",
      "--exposure locked does not follow the light; leave out --mains, --ev and --metering"),
    Case("--exposure camera --ev 1", "--exposure camera leaves everything to the camera; leave out --ev"),
    Case("--exposure sports", "Please provide one of 'auto', 'shutter-priority', 'manual', 'locked' or 'camera'"),
    Case("--exposure manual --iso 50000 --camera sim", "the camera has no ISO 50000; choose 25 to 12800"),
    Case("record stray", "Unexpected argument 'stray'"),
    Case("bake", "Missing expected argument"),
    Case("bake in.mov", "Missing expected argument '--output <PATH>'"),
    Case(
      "lut make --from rec709 --to rec709 a.cube",
      "choose one of apple-log, slog3, vlog, logc3, logc4, flog2, clog3, srgb, display-p3"),
    Case("lut make --from slog3 --to rec2020 a.cube", "choose one of rec709, srgb, display-p3"),
    Case("lut make --from apple-log-full --to rec709 a.cube", "choose one of apple-log, slog3"),
    Case("lut make --from slog3 --to rec709 --size 1 a.cube", "the number of points is 2 to 256"),
    Case("controls set", "Missing expected argument '<NAME=VALUE> ...'"),
    Case("controls set gain", "write a control and its value as NAME=VALUE, as in exposure-time=1/50"),
    Case("controls set shutter=180", "there is no control 'shutter'; the controls are exposure-mode, exposure-time"),
    Case("controls --camera clip:film.mov", "a clip has no controls; give --camera /dev/videoN"),
    Case("controls set --camera sim white-balance=candle", "one of auto, daylight (5500 K), cloudy (6500 K)"),
    Case("controls set --camera sim white-balance=900K", "takes 2500 to 10000 K, not 900 K"),
    Case("controls set --camera sim exposure-time=fast", "as in 1/50, 0.02 or 20ms, not 'fast'"),
    Case("ctl", "Missing expected argument '<COMMAND>'"),
    Case("ctl dance", "there is no command 'camrec ctl dance'; the commands are angle, camera,"),
    Case("ctl ev", "'ev' needs a value, as in 'ev +1/3'"),
    Case("ctl ev bright", "an exposure offset is -16 to 16 EV, as in 0.5 or +1/3; this is 'bright'"),
    Case("ctl ev 1 2", "'2' is one word too many; write 'ev +1/3'"),
    Case("ctl lock --now", "'--now' is one word too many; write 'lock'"),
    Case("ctl rate 0", "a frame rate is greater than 0 and at most 1000"),
    Case("ctl set shutter 180", "there is no control 'shutter'; the controls are exposure-mode"),
    Case("ctl switch", "'switch' needs a new camera, fps, size or pixelFormat, as in 'switch --fps 25'"),
    Case("ctl iso 100 --fps 25", "--camera, --fps, --size and --pixel-format are for 'camrec ctl switch'"),
    Case("lut info", "Missing expected argument '<FILE.cube>'"),
    Case("bracket --shadow 1/4", "Missing expected argument '--highlight <TIME>'"),
    Case("bracket --highlight 1/4", "Missing expected argument '--shadow <TIME>'"),
    Case(
      "bracket --shadow 1/55 --highlight 1/1000",
      "there is no standard exposure time '1/55'; the nearest are 1/60 and 1/50"),
    Case(
      "bracket --shadow 1/4 --highlight 1/16000",
      "'1/16000' is shorter than the shortest standard exposure time, 1/8000"),
    Case("bracket --shadow 60s --highlight 1/4", "'60s' is longer than the longest standard exposure time, 30″"),
    Case(
      "bracket --shadow 4 --highlight 1/1000", "'4' has no unit; write 4s for seconds, or 1/4 for a fraction of one"),
    Case("bracket --shadow -1 --highlight 1/4", "'-1' is not an exposure time; write it as in 1/250, 0.3s or 2s"),
    Case("bracket --shadow dark --highlight 1/4", "'dark' is not an exposure time"),
    Case("bracket --shadow 1/4 --highlight 1/60 --frames 4", "a bracketed set has 3, 5, 7 or 9 frames; this is '4'"),
    Case("bracket --shadow 1/4 --highlight 1/60 --frames -3", "a bracketed set has 3, 5, 7 or 9 frames"),
    Case(
      "bracket --shadow 1/4 --highlight 1/60 --spacing 0.5",
      "the frames of a bracketed set are 1, 1.5 or 2 EV apart; this is '0.5'"),
  ]

  @Test(arguments: cases)
  func isRefusedInOneSentence(_ bad: Case) throws {
    let folder = try TemporaryFolder()
    let outcome = try CamrecBinary.find().run(bad.arguments, in: folder.url, timeout: 60)
    #expect(outcome.exitCode == 64)
    #expect(!outcome.endedBySignal && !outcome.timedOut)
    let lines = outcome.standardError.split(separator: "\n")
    #expect(
      lines.first?.hasPrefix("Error: ") == true && lines.first?.contains(bad.sentence) == true,
      "\(outcome.standardError)")
    #expect(lines.count { $0.hasPrefix("Error:") } == 1)
    #expect(outcome.standardOutput == "")
    #expect(try folder.names == [])
  }

  /// A log has no other lines, and a program reads of everything that goes wrong.
  @Test(arguments: [
    ("--frobnicate", "Unknown option '--frobnicate'"), ("--frames 0", "the number of frames is at least 1"),
    ("record --frames 24 --duration 1s", "--duration and --frames exclude each other"),
    ("--schedule 08:00-09:00", "--schedule requires --standby"),
  ])
  func isALineOfTheLog_andAnEvent(words: String, sentence: String) throws {
    let folder = try TemporaryFolder(), binary = try CamrecBinary.find()
    let arguments = words.split(separator: " ").map(String.init) + ["--camera", "sim", "--log", "json", "--json"]
    let names: [([String], String)] = [([], "sim"), (["--name=front"], "front")]
    for (more, name) in names {
      let outcome = try binary.run(arguments + more, in: folder.url)
      #expect(outcome.exitCode == 64)
      let lines = try BadArgumentsTests.objects(outcome.standardError)
      let fields = lines.first?["fields"] as? [String: String]
      #expect(lines.count == 1 && lines.first?["level"] as? String == "error", "\(outcome.standardError)")
      #expect((lines.first?["message"] as? String)?.contains(sentence) == true, "\(outcome.standardError)")
      #expect(fields == ["camera": name, "code": "usage"], "\(outcome.standardError)")
      let events = try Events(outcome), error = events.stopped["error"] as? [String: String]
      #expect(events.kinds == ["stopped"] && events.stopped["status"] as? Int == 64)
      #expect(error?["code"] == "usage" && error?["message"]?.contains(sentence) == true, "\(events.all)")
    }
    // Beside a program's events, people are told as ever.
    let both = try binary.run(words.split(separator: " ").map(String.init) + ["--json"], in: folder.url)
    #expect(both.standardError.hasPrefix("Error: ") && both.standardError.contains("\nUsage: camrec "))
    #expect(try Events(both).kinds == ["stopped"])
    #expect(try folder.names == [])
  }

  /// Whatever was meant, the log has no other lines.
  @Test(arguments: [
    ("recrod --log json --json", "did you mean 'camrec record'?", 1),
    ("ctl strat --log=json", "did you mean 'camrec ctl start'?", 0),
  ])
  func aMistypedCommand_isALineOfTheLog(words: String, remedy: String, events: Int) throws {
    let folder = try TemporaryFolder()
    let outcome = try CamrecBinary.find().run(words.split(separator: " ").map(String.init), in: folder.url)
    #expect(outcome.exitCode == 64)
    let lines = try BadArgumentsTests.objects(outcome.standardError)
    #expect(lines.count == 1 && lines.first?["level"] as? String == "error", "\(outcome.standardError)")
    #expect((lines.first?["message"] as? String)?.hasSuffix(remedy) == true, "\(outcome.standardError)")
    let told = try BadArgumentsTests.objects(outcome.standardOutput)
    #expect(told.count == events && told.allSatisfy { $0["event"] as? String == "stopped" }, "\(told)")
  }

  @Test func ofABake_isAnEvent() throws {
    let folder = try TemporaryFolder()
    for words in ["bake --json --frobnicate", "bake --json --list none.txt --output films"] {
      let outcome = try CamrecBinary.find().run(words.split(separator: " ").map(String.init), in: folder.url)
      #expect(outcome.exitCode != 0 && outcome.standardError.hasPrefix("Error: "), "\(outcome.standardError)")
      let events = try Events(outcome)
      #expect(events.kinds == ["stopped"] && events.stopped["status"] as? Int == Int(outcome.exitCode), "\(events.all)")
    }
  }

  @Test func ofARig_areLinesOfTheLog_andEvents() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("cameras: {front: {camera: sim, frobnicate: 3}}\n".utf8, to: "rig.yaml")
    let cases = [("--frobnicate rig.yaml", "frobnicate"), ("none.yaml", "none.yaml"), ("rig.yaml", "rig.yaml:1:")]
    for (words, part) in cases {
      let arguments = ["rig", "--log=json", "--json"] + words.split(separator: " ").map(String.init)
      let outcome = try CamrecBinary.find().run(arguments, in: folder.url)
      #expect([64, 65].contains(outcome.exitCode), "\(outcome.standardError)")
      let line = try #require(try BadArgumentsTests.objects(outcome.standardError).first)
      #expect(line["level"] as? String == "error" && (line["message"] as? String)?.contains(part) == true, "\(line)")
      let event = try #require(try Events(outcome).all.first)
      #expect(event["event"] as? String == "rig" && event["severity"] as? String == "error", "\(event)")
      #expect(event["message"] as? String == line["message"] as? String)
    }
  }

  private static func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
    }
  }
}
