import Assembly
import Cameras
import Frames
import Rig
import SectionFile
import TestKit
import Testing

/// Rig files in a language of few words, which are read without changing this process's folder.
struct PlannedRig {
  let folder: TemporaryFolder
  /// Without what is set on this machine.
  var places = RigPlaces(environment: [:], state: "/state")

  init() throws { folder = try TemporaryFolder() }

  private static let options = [
    "camera", "control", "exposure-trace", "fps", "metrics", "microphone", "name", "output", "settings", "state",
  ]

  private static var language: SectionLanguage<ServiceSettings> {
    let schema = SectionSchema(
      names: SectionSchema.Names(file: "rig file", one: "camera", all: "cameras", limit: 64),
      keys: RigKey.allCases.map(\.rawValue), options: options.map { SectionSchema.Option($0) })
    return SectionLanguage(schema: schema) { (words) throws(ArgumentRefusal) in
      var settings = ServiceSettings()
      for word in words { try set(word, in: &settings) }
      return settings
    }
  }

  private static func set(_ word: String, in settings: inout ServiceSettings) throws(ArgumentRefusal) {
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1).map(String.init), value = parts[1]
    do throws(CamrecError) {
      switch parts[0] {
      case "camera": settings.recording.source.camera = try CameraAddress(parsing: value)
      case "control": settings.control = value
      case "exposure-trace": settings.recording.exposureTrace = value
      case "fps": settings.recording.source.frameRate = try FrameRate(argument: value)
      case "metrics": settings.metrics = value
      case "microphone": settings.recording.microphone = MicrophoneChoice(parsing: value)
      case "output": settings.recording.output = value
      case "settings": settings.settingsFile = value
      case "state": settings.state = value
      default: break
      }
    } catch {
      throw ArgumentRefusal(message: "--\(parts[0]): \(error.message)", reason: error.message)
    }
  }

  /// - Parameters:
  ///   - looksAround, enter: as for the plan.
  func plan(
    _ text: String, looksAround: Bool = false, enter: (String) -> Bool = { _ in true }
  ) throws -> RigPlan {
    try RigPlan(
      readingFile: try folder.write(text.utf8, to: "rig.yaml"), looksAround: looksAround, places: places, enter: enter,
      language: Self.language)
  }
}
