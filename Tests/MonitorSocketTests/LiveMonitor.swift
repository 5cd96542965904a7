import Bake
import Cameras
import Color
import Foundation
import Frames
import JPEGImages
import Kernels
import MediaFFmpeg
import Monitor
import MonitorSocket
import Platform
import Recorder
import RecorderAPI
import Synchronization

/// A monitor of a simulated camera that runs, in a folder of its own.
final class LiveMonitor: MonitorSource, Sendable {
  let session: CameraSession
  let folder: String
  let server: MonitorServer
  let bakers: Count
  private let relay: Relay

  /// How many were made.
  final class Count: Sendable {
    private let made = Atomic<Int>(0)
    var value: Int { made.load(ordering: .relaxed) }
    func rise() { made.add(1, ordering: .relaxed) }
  }

  /// Stands between: the server holds its source before there is one.
  private final class Relay: MonitorSource {
    let session: CameraSession
    let refusal = Mutex<CamrecError?>(nil)
    let refusals = Atomic<Int>(0)
    let phase = Mutex(RecorderState.Phase.standby)
    let preRoll = Mutex<PreRollStatus?>(nil)

    init(_ session: CameraSession) { self.session = session }

    func runningCamera() throws(CamrecError) -> CameraSession {
      if let refusal = refusal.withLock({ $0 }) {
        refusals.add(1, ordering: .relaxed)
        throw refusal
      }
      return session
    }

    var state: RecorderState {
      var state = RecorderState(phase: phase.withLock { $0 })
      let format = session.camera.format
      state.source = RecorderState.Source(
        camera: session.camera.name, width: format.width, height: format.height, frameRate: "50", pixelFormat: "nv12")
      state.preRoll = preRoll.withLock { $0 }
      state.level = RecorderState.Level(peak: 0.5, held: 1, isClipped: false)
      return state
    }
  }

  init(
    size: (Int, Int) = (320, 180), format: String = "nv12", rate: Int = 50, options: String = "", name: String? = nil,
    isGraded: Bool = true
  ) throws {
    let rate = try FrameRate(argument: "\(rate)")
    let camera = try SimulatedCamera(
      SimulatedCamera.Options(parsing: options),
      request: CameraRequest(
        width: size.0, height: size.1, frameRate: rate, pixelFormat: format, nearest: false),
      clock: SimulatedClock(pace: .realTime),
      makeEncoder: { (format) throws(CamrecError) in try JPEGEncoder(format: format, quality: 90) })
    let form = camera.format, picture = camera.pictureFormat, bakers = Count()
    let view = LiveView(
      rotation: form.rotation, color: picture.color, software: "camrec test", softwareWithLook: nil,
      isGraded: isGraded,
      makeConverter: { () throws(CamrecError) in try ImageConverters.make(for: form, frames: 1) },
      makeBaker: { () throws(CamrecError) in
        bakers.rise()
        return try Baker(
          input: picture, outputLayout: picture.layout, outputColor: .rec709, lut: nil, interpolation: .tetrahedral,
          workers: 1, frames: 1)
      })
    self.bakers = bakers
    session = CameraSession(camera, exposure: nil, converter: nil, view: view)
    folder = FileManager.default.temporaryDirectory.path + "/camrec-\(UUID().uuidString.prefix(8))"
    relay = Relay(session)
    server = try MonitorServer.open(path: "\(folder)/1.monitor", source: relay, camrec: "1.2.3", name: name)
    session.start()
  }

  deinit {
    server.close()
    session.close()
    try? FileManager.default.removeItem(atPath: folder)
  }

  var path: String { server.path }
  var state: RecorderState { relay.state }

  func runningCamera() throws(CamrecError) -> CameraSession { try relay.runningCamera() }

  /// What whoever looks hears from now on; `nil`: the camera is back.
  func refuse(_ error: CamrecError?) { relay.refusal.withLock { $0 = error } }

  /// How often somebody has heard it.
  var refusals: Int { relay.refusals.load(ordering: .relaxed) }

  func turn(to phase: RecorderState.Phase) { relay.phase.withLock { $0 = phase } }

  /// `nil` keeps none.
  func keep(_ preRoll: PreRollStatus?) { relay.preRoll.withLock { $0 = preRoll } }

  /// Asks until it holds, or far too long.
  static func eventually(_ holds: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<6000 {
      if try holds() { return true }
      WorkThread.sleep(.milliseconds(10))
    }
    return false
  }
}

/// A JPEG image as a reader of its own sees it.
struct DecodedPicture {
  let width: Int
  let height: Int
  let mark: SimulatedMark?

  init(_ jpeg: [UInt8]) throws {
    let size = try DecodedPicture.size(of: jpeg)
    (width, height) = size
    let decoder = try JPEGDecoder(width: size.width, height: size.height, color: .rec601, frames: 1)
    var jpeg = jpeg
    let count = jpeg.count
    mark = try jpeg.withUnsafeMutableBytes { bytes in
      let storage = FrameStorage(planes: [bytes.baseAddress!])
      let frame = try decoder.convert(
        EncodedImage(
          encoding: FourCC("MJPG"), width: size.width, height: size.height, stride: 0, byteCount: count,
          storage: storage, owner: Nobody()))
      let stride = frame.format.stride(plane: 0)
      let rows: [UInt8] = frame.withPlane(0) { plane in
        (0..<size.height).flatMap { Array(plane[$0 * stride..<$0 * stride + size.width]) }
      }
      return rows.withUnsafeBytes { FrameNumberReader(width: size.width, height: size.height).read(luma: $0)?.mark }
    }
  }

  private final class Nobody: FrameOwner {
    func frameEnded(_ storage: FrameStorage) {}
  }

  /// From the frame header (ITU-T T.81, B.2.2).
  private static func size(of jpeg: [UInt8]) throws -> (width: Int, height: Int) {
    var place = 2
    while place + 9 < jpeg.count, jpeg[place] == 0xFF {
      let marker = jpeg[place + 1], length = Int(jpeg[place + 2]) << 8 | Int(jpeg[place + 3])
      if marker == 0xC0 || marker == 0xC1 {
        return (
          Int(jpeg[place + 7]) << 8 | Int(jpeg[place + 8]), Int(jpeg[place + 5]) << 8 | Int(jpeg[place + 6])
        )
      }
      place += 2 + length
    }
    throw CamrecError(.input, "no JPEG")
  }
}
