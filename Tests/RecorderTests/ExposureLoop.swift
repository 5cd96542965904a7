import Cameras
import Exposure
import Foundation
import Frames
import Recorder
import Testing

/// A pulled simulated camera and its exposure service, frame by frame.
final class ExposureLoop {
  let camera: SimulatedCamera
  let service: ExposureService
  /// What each frame was taken with, by the camera's own word; empty where it tells none.
  private(set) var told: [ExposureRecord] = []
  /// The same by the service's account.
  private(set) var account: [ExposureRecord] = []
  private(set) var warnings: [String] = []

  init(
    _ options: String, exposure: ExposureOptions = ExposureOptions(), rate: String = "24",
    startingFrom setting: ExposureSetting? = nil, trace: String? = nil, beforeTrace: () throws -> Void = {}
  ) throws {
    camera = try SimulatedCamera(
      SimulatedCamera.Options(parsing: "pace=pulled,physics=fast,\(options)"),
      request: CameraRequest(width: 192, height: 108, frameRate: FrameRate(parsing: rate), pixelFormat: "nv12"),
      clock: SimulatedClock(pace: .pulled), frames: 2)
    let file = try trace.map { path throws(CamrecError) in try ExposureTraceFile(path: path, overwrite: true) }
    try beforeTrace()
    let opened = try ExposureService.open(camera, options: exposure, startingFrom: setting, trace: file)
    service = try #require(opened.service)
    try camera.start()
  }

  /// Sees as many frames.
  func go(_ frames: Int) throws {
    let end = account.count + frames
    while account.count < end {
      guard case .frame(let captured) = try camera.next() else { continue }
      let sequence = captured.sequence, told = captured.exposure
      let seen = captured.image.withFrame { frame in
        service.see(frame, sequence: sequence, told: nil) { warnings.append($0) }
      }
      account.append(try #require(seen))
      if let told { self.told.append(told) }
    }
  }

  func last() throws -> ExposureRecord { try #require(told.last) }

  func close() {
    camera.stop()
    service.close()
  }
}
