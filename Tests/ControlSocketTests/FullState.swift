import Foundation
import RecorderAPI

/// A state in which every member has a value.
enum FullState {
  /// - Parameter number: another number makes another state.
  static func make(_ number: Int = 0) -> RecorderState {
    var state = RecorderState(phase: number == 0 ? .recording : .waiting)
    state.film = "/films/take \(number).mov"
    state.filmID = "5f3c0c6e-9d53-4a66-b1a4-0f4e2a3b7c0\(number)"
    state.recordingID = "0b8d7f0e-1c2d-4e3f-8a9b-6c5d4e3f2a1\(number)"
    state.segment = 2 + number
    state.films = 3 + number
    state.source = RecorderState.Source(
      camera: "sim", width: 1920, height: 1080, frameRate: "24000/1001", pixelFormat: "yuyv")
    state.source?.width += number
    state.started = Date(timeIntervalSince1970: 1_800_000_000.25 + Double(number))
    state.seconds = 12.5 + Double(number)
    state.bytes = 123_456_789_012
    state.unsavedSeconds = 0.75 + Double(number)
    state.lossBound = 1.25 + Double(number)
    state.timecode = "16:02:1\(number):05"
    state.marker = RecorderState.Marker(text: "take \(number)", seconds: 1.5, timecode: "16:02:12:05")
    state.level = RecorderState.Level(peak: 0.25, held: 0.5, isClipped: number > 0)
    state.ledger.expected = 300 + number
    state.ledger.captured = 299
    state.ledger.written = 298
    state.ledger.lost = ["deviceGap": 1]
    state.filmAccount = RecorderState.FilmAccount(ledger: state.ledger, soundLost: 5)
    state.disk = DiskStatus()
    state.disk?.bytesWritten = 4096 + Int64(number)
    state.disk?.stalledCall = .synchronize
    state.disk?.freeBytes = 1 << 40
    state.totals = RecorderState.Totals()
    state.totals?.deletedFilms = number
    state.queues = RecorderState.Queues(
      captured: .init(depth: number, capacity: 4), baked: .init(depth: 1, capacity: 2),
      sound: .init(depth: 0, capacity: 192))
    state.effort = RecorderState.Effort(
      preset: "fast", workers: 2, loadStep: number, heatStep: 0, encoderSpeed: .infinity)
    state.ratePartsPerMillion = -12.5 - Double(number)
    state.beats = 17 + number
    state.preRoll = PreRollStatus(seconds: 5, bytes: number, capacityBytes: 1 << 20, frames: 120)
    state.exposure = ExposureStatus(
      mode: "shutter-priority", state: .settled, exposureTime: 0.02, shutterAngle: 180, reachedShutterAngle: 179.71,
      iso: 400 + Double(number), isCalibrated: true, gain: 2, bias: -.infinity, metering: "centre", isLocked: false,
      missingEV: 0, isMissingEVLowerBound: true)
    state.nextExposure = RecorderState.NextExposure(mode: "auto", bias: Double(number), isLocked: true)
    state.whiteBalance = number == 0 ? "5600" : "auto"
    state.whiteBalanceAge = 0.5 + Double(number)
    state.focus = RecorderState.Focus(phase: .held, distance: 0.25 + Double(number))
    state.failure = "the film \(number) was cut off"
    // Version 1 has this one in place of the film's.
    state.startFailure = "the disk \(number) is full"
    state.cameraFailure = "there is no camera \(number)"
    state.continuationFailure = "disk \(number) has no room"
    return state
  }
}
