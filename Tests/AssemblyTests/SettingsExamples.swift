import Assembly
import Bake
import Cameras
import Color
import Exposure
import Frames
import Movies
import Recorder
import Triggers

/// Settings whose every member differs from the usual.
enum SettingsExamples {
  static func recording() throws -> RecordingSettings {
    RecordingSettings(
      source: SourceSettings(
        camera: try CameraAddress(parsing: "/dev/v4l/by-id/usb-046d_HD_Pro_Webcam-video-index0"), nearest: true,
        size: try FrameSize(parsing: "1280x720"), frameRate: try FrameRate(argument: "23.976"), pixelFormat: "yuyv"),
      microphone: .named("hw:2,0"), exposure: try exposure(), exposureTrace: "traces/%H-%M-%S.trace",
      bake: try bake(),
      encoding: VideoEncoding(
        codec: .prores, encoder: "prores_ks", preset: "fast", rate: .bitrate(40_000_000), profile: "hq", cores: 2),
      file: FileSettings(
        overwrite: true, rotation: .fixed(.quarter), timecode: .label("10:00:00;00"),
        audioOffset: TimeSpan(nanoseconds: -20_000_001)),
      output: "films/%H-%M-%S.mkv", isUTC: true, hasSidecar: false,
      limit: LimitSettings(duration: TimeSpan(nanoseconds: 90_000_000_001), frames: 240), onOverload: .stop,
      maxLoss: TimeSpan(nanoseconds: 400_000_000), fillsGaps: true,
      segment: SegmentChoice(length: .clock(seconds: 600), mostBytes: nil),
      relief: ReliefSettings(onSlowEncoder: .faster, heatLimit: .degrees(72.5)),
      preRoll: TimeSpan(nanoseconds: 10_000_000_000), isOfRig: true)
  }

  static func exposure() throws -> ExposureOptions {
    ExposureOptions(
      mode: .auto, angle: try ShutterAngle(parsing: "172.8"), mains: .hz50, iso: 640.5, bias: Stops(units: -341),
      metering: .spot(x: 0.1, y: 0.75), locksWhileRecording: true, isLocked: true, baseISO: 80,
      locksWithAngle: true)
  }

  static func bake() throws -> BakeSettings {
    BakeSettings(
      lut: "look.cube", look: "portra-400", grainSeed: 4_294_967_295, interpolation: .trilinear, dither: .ordered,
      workers: 3, bakeOn: .gpu, colorIn: try ColorName(parsing: "slog3-full"), colorOut: try ColorName(parsing: "hlg"))
  }

  static func service() throws -> ServiceSettings {
    ServiceSettings(
      recording: try recording(),
      triggers: TriggerSettings(
        schedule: [
          try ScheduleWindow(parsing: "mon-fri 08:00-18:00"), try ScheduleWindow(parsing: "sat,sun 22:00-02:00"),
        ], signals: .startStop, buttons: [try ButtonChoice(parsing: "start:KEY_RECORD@/dev/input/event3")],
        buttonDebounce: TimeSpan(nanoseconds: 50_000_000), grabsButtons: true,
        light: try LightChoice(parsing: "led:tally@5@40"), lightBlinks: 0),
      hook: HookSettings(
        words: ["/usr/bin/rsync", "{}", "a b"], timeout: TimeSpan(nanoseconds: 60_000_000_000), tries: 3,
        wait: TimeSpan(nanoseconds: 0)), control: "none", monitor: "none",
      monitorGroup: "video", settingsFile: "/var/lib/camrec/front.json",
      state: "/run/camrec/front.json", metrics: "/var/lib/node_exporter/front.prom")
  }
}
