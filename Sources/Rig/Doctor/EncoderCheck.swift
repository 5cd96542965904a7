package import Assembly
import Bake
package import Doctor
import Foundation
package import Frames
import Jobs
import MediaFFmpeg
package import Movies
import Reporting

/// Whether bake and encoder keep up with the camera, measured with frames of the simulated scene.
package struct EncoderCheck {
  package let size: FrameSize
  package let rate: FrameRate
  package let encoding: VideoEncoding
  package let bake: BakeSettings
  package let workers: Int
  package let duration: Duration

  /// - Returns: the finding, and the size of a second of film in bytes; `nil` if it could not be measured.
  package func run() -> (finding: DoctorFinding, bytesPerSecond: Double?) {
    let name = encoding.encoder ?? encoding.codec.rawValue
    let words = "\(name)\(encoding.preset.map { " \($0)" } ?? "")"
    do throws(CamrecError) {
      let grade = try Grade(bake)
      let reel = try FrameReel(size: size, layout: .nv12, rate: rate, count: 12)
      let measured = try EncoderMeasurement(
        reel, grade: grade, interpolation: bake.interpolation, workers: workers, encoding: encoding,
        duration: duration, directory: FileManager.default.temporaryDirectory)
      let ratio = measured.framesPerSecond / rate.framesPerSecond
      let bytes = measured.bytesPerFrame * rate.framesPerSecond
      let sentence =
        "\(words)\(grade.words) encodes \(HumanText.fixed(measured.framesPerSecond, 1)) frames "
        + "of \(size) a second: \(HumanText.fixed(ratio, 2)) times real time at \(rate) fps"
      let figures = ["framesPerSecond": measured.framesPerSecond, "timesRealTime": ratio, "bytesPerSecond": bytes]
      return (finding(ratio, sentence, figures), bytes)
    } catch {
      return (
        DoctorFinding(
          "encoder speed", .failure, "cannot measure the speed of \(words) at \(size): \(error.description)",
          remedy: "run 'camrec rig check', or 'camrec bench --size \(size)'"), nil
      )
    }
  }

  /// Leaves a part of the measured speed to everything else (`EncoderMeasurement.share`).
  private func finding(_ ratio: Double, _ sentence: String, _ figures: [String: Double]) -> DoctorFinding {
    let preset: Sentence =
      EncoderPresets.hasFaster(than: encoding) ? "faster \(setting: .preset) ('camrec bench' recommends one), a " : ""
    let remedy: Sentence = "choose a \(sentence: preset)smaller \(setting: .size) or a lower \(setting: .fps)"
    if ratio < 1 { return DoctorFinding("encoder speed", .failure, sentence, remedy: remedy, figures: figures) }
    if ratio * EncoderMeasurement.share < 1 {
      return DoctorFinding(
        "encoder speed", .warning, sentence + ", which leaves too little for everything else", remedy: remedy,
        figures: figures)
    }
    return DoctorFinding("encoder speed", .ok, sentence, figures: figures)
  }
}
