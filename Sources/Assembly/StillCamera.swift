import Bake
import Cameras
import Color
package import Exposure
import Foundation
package import Frames
import JPEGImages
import Movies
import Platform
package import Recorder
import RecorderAPI
import Reporting
import StillMetadata

/// A camera for metering and for stills.
package struct StillCamera {
  private let camera: any Camera
  private let input: FrameFormat
  private let converter: (any ImageConverter)?
  private let signals: StopSignals
  private let isColorGuessed: Bool

  private static let frames = 4
  /// Of a JPEG.
  private static let quality = 95

  /// - Parameters:
  ///   - colorIn: the camera's colours; `nil` for those that it reports.
  ///   - signals: end the work in progress with an error of code `interrupted`, and leave the camera as it was found.
  package init(_ options: SourceSettings, colorIn: ColorName? = nil, signals: StopSignals) throws(CamrecError) {
    self.signals = signals
    let source = try FilmSource.open(
      options, microphone: .none, colorIn: colorIn, hasLUT: false, frames: StillCamera.frames)
    camera = source.camera
    signals.beforeGivingUp { [controls = camera.controls] in controls?.restore() }
    camera.warnings.forEach(HumanText.warning)
    let made = try FilmMaker.input(camera.format, frames: StillCamera.frames)
    var input = made.format
    if let colorIn, !source.honorsColorIn { input.color = colorIn.description(range: input.color.range) }
    self.input = input
    isColorGuessed = colorIn == nil && camera.format.isColorGuessed
    converter = made.converter
  }

  private var isStopped: () -> Bool { { [signals] in signals.haveCome } }

  // MARK: Metering

  package func meter(_ point: PicturePoint) throws(CamrecError) -> SpotMeter.Reading {
    try SpotMeter(camera, converter: converter, isStopped: isStopped).read(x: point.x, y: point.y)
  }

  /// - Throws: code `device` for a time that is more than 1/3 EV away from every speed of the table.
  package func speed(of reading: SpotMeter.Reading) throws(CamrecError) -> ShutterSpeed {
    let seconds = reading.exposureTime
    guard let speed = ShutterSpeed.nearest(to: seconds), abs(log2(seconds / speed.exactSeconds)) < 0.34 else {
      throw CamrecError(
        .device, "the point needs \(seconds) s at this ISO, outside 1/8000 to 30 s; set another ISO")
    }
    return speed
  }

  /// A warning about a reading at the end of the camera's range; `nil` for others.
  package func doubt(_ reading: SpotMeter.Reading, at point: PicturePoint) -> String? {
    if reading.isClipped {
      return "the point \(point.x),\(point.y) clips even at the camera's lowest exposure, and needs less than this"
    }
    if reading.isCrushed {
      return "the point \(point.x),\(point.y) is black even at the camera's highest exposure, and needs more than this"
    }
    return nil
  }

  /// Measures the gain, and saves the result.
  package func calibrate() throws(CamrecError) -> (name: String, GainCalibration, path: String) {
    let calibration = try GainCalibrator(camera, converter: converter, isStopped: isStopped).measure()
    let identity = camera.controls?.identity ?? ""
    try calibration.keep(identity: identity)
    return (camera.name, calibration, GainCalibration.path(identity: identity))
  }

  // MARK: Stills

  /// A still's exposure, in the .json beside it.
  private struct Record: Encodable {
    let format = "camrec-still"
    let version = 1
    let camera: String
    let set: Int
    let frame: Int
    let speed: String
    let exposureTime: Double
    let iso: Double?
    /// Whether the ISO is relative to that of the lowest gain; left out without an ISO.
    let isoIsRelative: Bool?
    let width: Int
    let height: Int
    /// Left out without a look.
    let look: LookIdentity?
  }

  /// Takes a bracketed series into `PREFIX_SET-FRAME_SPEED.jpg`, each with its `.json`.
  ///
  /// - Parameters:
  ///   - grade: a look, which gives the stills Rec. 709's colours; without one they keep the camera's. The nth still of
  ///     the series has grain n, from 0.
  ///   - saved: called with the path of each still.
  package func takeBracket(
    _ sets: [[ShutterSpeed]], _ grade: Grade, prefix: String, overwrite: Bool, saved: (String) -> Void
  ) throws(CamrecError) {
    if grade.look != nil, isColorGuessed { HumanText.warning(FilmMaker.warning(ofLookOnGuess: input.color)) }
    // The matrix and range of JPEG files (JFIF).
    var color = grade.changesColors ? ColorDescription.rec709 : input.color
    (color.matrix, color.range) = (.rec601, .full)
    let layout = input.layout.chroma == .yuv420 ? PixelLayout.yuv420p : .yuv422p
    let baker = try Baker(
      input: input, outputLayout: layout, outputColor: color, lut: try grade.table(from: input.color, to: color),
      interpolation: .tetrahedral, grain: grade.grain, workers: 1, frames: 1, passesThrough: false)
    let encoder = try JPEGEncoder(format: baker.outputFormat, quality: StillCamera.quality)
    let middle = StillCamera.middle(of: sets.flatMap(\.self))
    var taken: Int64 = 0
    try BracketCapture(camera, converter: converter, isStopped: isStopped).take(sets, baseISO: 100) {
      (shot, frame) throws(CamrecError) in
      let baked = try baker.bake(frame, number: taken)
      taken += 1
      let number = "\(shot.set + 1)-\(shot.frame + 1)"
      let name = shot.speed.typedName.replacing("/", with: "-")
      let path = "\(prefix)_\(number)_\(name)"
      let facts = StillFacts(
        camera: camera.name, software: grade.look?.software ?? "camrec \(Product.version)", date: Date(),
        width: input.width, height: input.height, rotation: camera.format.rotation,
        exposureTime: shot.exposureTime, iso: shot.isRelative ? nil : shot.iso,
        bias: log2(shot.exposureTime / middle), hasLook: grade.look != nil)
      let image = try ExifBlock(facts).written(into: try encoder.image(of: baked))
      try NewFile.write(image, to: path + ".jpg", overwrite: overwrite)
      let record = Record(
        camera: camera.name, set: shot.set + 1, frame: shot.frame + 1, speed: shot.speed.name,
        exposureTime: shot.exposureTime, iso: shot.iso, isoIsRelative: shot.iso.map { _ in shot.isRelative },
        width: input.width, height: input.height, look: grade.look)
      try NewFile.write(try StillCamera.text(record), to: path + ".json", overwrite: overwrite)
      saved(path + ".jpg")
    }
  }

  /// Seconds, halfway in EV between the shortest and the longest of a series.
  private static func middle(of speeds: [ShutterSpeed]) -> Double {
    let times = speeds.map(\.exactSeconds)
    return ((times.min() ?? 1) * (times.max() ?? 1)).squareRoot()
  }

  private static func text(_ record: Record) throws(CamrecError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    do {
      return Array(try encoder.encode(record)) + [UInt8(ascii: "\n")]
    } catch {
      throw CamrecError(.defect, "a still's record cannot be written", cause: "\(error)")
    }
  }
}
