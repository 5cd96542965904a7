package import Assembly
import Audio
import Bake
import Cameras
package import Doctor
import Foundation
package import Frames
import MediaFFmpeg
import Movies
import Platform
import RecorderRemote
import SectionFile

/// Checks everything that recordings depend on, one thing after another.
package struct DoctorRound {
  /// A recording to check.
  package struct Patient {
    /// The camera's name in a rig; `nil` without one.
    package let name: String?
    package let settings: ServiceSettings
    /// The oldest films are deleted when the disk gets full.
    package let rotates: Bool

    package init(name: String?, settings: ServiceSettings, rotates: Bool = false) {
      self.name = name
      self.settings = settings
      self.rotates = rotates
    }
  }

  package let patients: [Patient]
  /// How long to measure each encoder.
  package let duration: Duration
  /// Called with each finding as soon as it is made.
  package let say: (DoctorFinding) -> Void
  private let recorders = RecorderDirectory()

  package init(patients: [Patient], duration: Duration, say: @escaping (DoctorFinding) -> Void) {
    self.patients = patients
    self.duration = duration
    self.say = say
  }

  /// Bytes that a recording needs besides its frames: libraries, tables, the encoder's own.
  private static let base = 300e6
  /// Frames that wait in queues and encoders, at four bytes a pixel.
  private static let frames = 60.0

  package func run() throws(CamrecError) -> [DoctorFinding] {
    var all: [DoctorFinding] = []
    func note(_ findings: [DoctorFinding], of name: String? = nil) {
      for var finding in findings {
        finding.camera = name
        all.append(finding)
        say(finding)
      }
    }
    // As they start next.
    let starts = patients.map { NextStart($0.settings, name: $0.name) }
    let starting = zip(patients, starts).map { patient, start in
      Patient(name: patient.name, settings: start.settings, rotates: patient.rotates)
    }
    note(UserCheck().findings())
    note(
      ClockCheck(
        kernel: KernelClock.state.map {
          ClockCheck.Kernel(isSynchronized: $0.isSynchronized, maximumError: $0.maximumError)
        }
      ).findings())
    note(TemperatureCheck().findings())
    note(DescriptorCheck().findings())
    note(MemoryCheck(needed: starting.map(DoctorRound.memory).reduce(0, +)).findings())
    var rates: [String: Double] = [:], rotating: [String: Bool] = [:]
    for (patient, start) in zip(starting, starts) {
      note(start.finding.map { [$0] } ?? [], of: patient.name)
      let recording = patient.settings.recording
      let camera = CameraCheck(settings: recording.source, name: patient.name, recorders: recorders)
      note(camera.findings(), of: patient.name)
      let microphone = MicrophoneCheck(
        choice: recording.microphone, isOfCamera: CameraProviders.standard.hasOwnSound(recording.source.camera)
      ).run()
      note(microphone.findings, of: patient.name)
      note(TriggerCheck(settings: patient.settings.triggers).findings(), of: patient.name)
      let (finding, bytes) = try encoder(recording).run()
      note([finding], of: patient.name)
      let asked: Double? = if case .bitrate(let bits)? = recording.encoding.rate { Double(bits) / 8 } else { nil }
      // Of a film that could not be measured, nothing is known.
      guard let picture = asked ?? bytes else { continue }
      let folder = DoctorRound.folder(recording)
      rates[folder, default: 0] += picture + (microphone.format?.storedBytesPerSecond ?? 0)
      // A camera that does not ends its film when the disk is full.
      rotating[folder] = patient.rotates && (rotating[folder] ?? true)
    }
    for (folder, rate) in rates.sorted(by: { $0.key < $1.key }) where rate > 0 {
      note(DiskSpeedCheck(folder: folder, bytesPerSecond: rate).findings())
      note(
        SpaceCheck(
          folder: folder, bytesPerSecond: rate, freeBytes: FreeSpace.bytes(beside: folder + "/.").map(Double.init),
          rotates: rotating[folder] ?? false
        ).findings())
    }
    return all
  }

  private func encoder(_ recording: RecordingSettings) throws(CamrecError) -> EncoderCheck {
    var encoding = recording.encoding
    // Each camera of a rig gets an equal share.
    if patients.count > 1, encoding.cores == nil {
      encoding.cores = max(1, ProcessInfo.processInfo.activeProcessorCount / patients.count)
    }
    let asked = recording.source.frameRate
    let rate = if let asked { asked } else { try FrameRate(argument: DoctorRound.usualRate) }
    return EncoderCheck(
      size: DoctorRound.size(recording), rate: rate, encoding: encoding, bake: recording.bake,
      workers: recording.bake.workerCount(cores: encoding.cores), duration: duration)
  }

  /// The frame rate that camrec requests by default.
  private static let usualRate = "24"

  private static func size(_ recording: RecordingSettings) -> FrameSize { recording.source.size ?? .fullHD }

  private static func memory(_ patient: Patient) -> Double {
    let size = size(patient.settings.recording)
    return base + frames * 4 * Double(size.width * size.height) + preRoll(patient.settings.recording, size)
  }

  /// The most memory that a recording's pre-roll needs, in bytes.
  private static func preRoll(_ recording: RecordingSettings, _ size: FrameSize) -> Double {
    guard let length = recording.preRoll, let usual = try? FrameRate(argument: usualRate) else { return 0 }
    let settings = MovieSettings(
      path: "", container: .mov,
      format: FrameFormat(width: size.width, height: size.height, layout: .yuv420p, color: .rec709),
      frameRate: recording.source.frameRate ?? usual, audio: .standard, encoding: recording.encoding, creationTime: 0,
      isLive: true)
    return Double(PreRollRoom(settings, seconds: length.seconds.doubleValue, heldFrames: 0).bytes)
  }

  /// The folder for the films.
  private static func folder(_ recording: RecordingSettings) -> String {
    let path = (try? OutputPath.filled(recording.output, Date())) ?? recording.output
    return PathText(PathText(path).absolute).folder
  }
}
