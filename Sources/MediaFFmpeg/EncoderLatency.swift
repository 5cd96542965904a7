/// How many frames libx265 holds, and the settings that keep them few enough for a live recording.
///
/// Measured with 3.5: it holds lookahead + B-frames + frame threads + 2 frames, and none with neither lookahead nor
/// B-frames on a single frame thread. The lookahead has to be longer than the run of B-frames.
struct X265Latency: Hashable {
  var lookahead: Int
  var bFrames: Int
  var frameThreads: Int

  var frames: Int {
    lookahead == 0 && bFrames == 0 && frameThreads == 1 ? 0 : lookahead + bFrames + frameThreads + 2
  }

  /// The settings of `preset` (x265's documentation, "Presets"), with the number of frame threads that x265 chooses on
  /// `cores` cores; `nil` for an unknown preset.
  init?(preset: String, cores: Int) {
    switch preset {
    case "ultrafast": (lookahead, bFrames) = (5, 3)
    case "superfast": (lookahead, bFrames) = (10, 3)
    case "veryfast", "faster", "fast": (lookahead, bFrames) = (15, 4)
    case "medium": (lookahead, bFrames) = (20, 4)
    case "slow": (lookahead, bFrames) = (25, 4)
    case "slower": (lookahead, bFrames) = (40, 8)
    case "veryslow": (lookahead, bFrames) = (40, 8)
    case "placebo": (lookahead, bFrames) = (60, 8)
    default: return nil
    }
    switch cores {
    case 32...: frameThreads = 6
    case 16...: frameThreads = 5
    case 8...: frameThreads = 3
    case 4...: frameThreads = 2
    default: frameThreads = 1
    }
  }

  static let presets = [
    "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo",
  ]

  /// Shortens the lookahead, then the runs of B-frames, then the frame threads, as far as needed to hold at most
  /// `budget` frames.
  mutating func fit(budget: Int) {
    while frames > budget {
      if lookahead > bFrames + 1 {
        lookahead -= 1
      } else if bFrames > 0 {
        bFrames -= 1
      } else if frameThreads > 1 {
        frameThreads -= 1
      } else {
        lookahead = 0
        return
      }
    }
  }
}
