import Bake
import Color
import Doctor
import Foundation
import Frames
import Movies

/// Whether bake and encoder keep up with the camera, measured with pictures of the simulated scene.
struct EncoderCheck {
  let size: FrameSize
  let rate: FrameRate
  let encoding: VideoEncoding
  /// A .cube file; `nil`: nothing is baked.
  let lut: String?
  let interpolation: Interpolation
  let workers: Int
  let duration: Duration

  /// - Returns: what was found, and the bytes that a second of film takes; `nil` where it could not be measured.
  func run() -> (finding: DoctorFinding, bytesPerSecond: Double?) {
    let name = encoding.encoder ?? encoding.codec.rawValue
    let words = "\(name)\(encoding.preset.map { " \($0)" } ?? "")"
    do throws(CamrecError) {
      let table: LookupTable? = if let lut { try LookupTable(readingFile: lut) } else { nil }
      let reel = try FrameReel(size: size, layout: .nv12, rate: rate, count: 12)
      let measured = try EncoderMeasurement(
        reel, lut: table, interpolation: interpolation, workers: workers, encoding: encoding, duration: duration,
        directory: FileManager.default.temporaryDirectory)
      let ratio = measured.framesPerSecond / rate.framesPerSecond
      let bytes = measured.bytesPerFrame * rate.framesPerSecond
      let sentence =
        "\(words)\(lut == nil ? "" : " with the look") makes \(HumanText.fixed(measured.framesPerSecond, 1)) frames of \(size) a second: "
        + "\(HumanText.fixed(ratio, 2)) times real time at \(rate) fps"
      let figures = ["framesPerSecond": measured.framesPerSecond, "timesRealTime": ratio, "bytesPerSecond": bytes]
      return (EncoderCheck.finding(ratio, sentence, figures), bytes)
    } catch {
      return (
        DoctorFinding(
          "encoder speed", .failure, "how fast \(words) is at \(size) could not be measured: \(error.description)",
          remedy: "see 'camrec rig check', or 'camrec bench --size \(size)'"), nil
      )
    }
  }

  /// Of what is measured a part is left for everything else.
  static func finding(_ ratio: Double, _ sentence: String, _ figures: [String: Double]) -> DoctorFinding {
    let remedy = "choose a faster --preset ('camrec bench' says which), a smaller --size or a lower --fps"
    if ratio < 1 { return DoctorFinding("encoder speed", .failure, sentence, remedy: remedy, figures: figures) }
    if ratio * EncoderMeasurement.share < 1 {
      return DoctorFinding(
        "encoder speed", .warning, sentence + ", which leaves too little for everything else", remedy: remedy,
        figures: figures)
    }
    return DoctorFinding("encoder speed", .ok, sentence, figures: figures)
  }
}
