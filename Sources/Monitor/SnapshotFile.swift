import Cameras
import Foundation
import Frames
import JPEGImages
import Photos
import Platform
import Recorder
import RecorderAPI
import StillMetadata

/// The image file of one frame, with its metadata.
struct SnapshotFile {
  private let camera: ViewedCamera
  private let facts: TappedFrame
  private let request: SnapshotRequest

  init(_ camera: ViewedCamera, _ facts: TappedFrame, _ request: SnapshotRequest) {
    self.camera = camera
    self.facts = facts
    self.request = request
  }

  func made(of frame: borrowing Frame) throws(CamrecError) -> Snapshot {
    let view = camera.view
    let maker = try PictureMaker(
      frame.format,
      PictureMaker.Request(width: request.width, rotation: view.rotation, isGraded: request.isGraded && view.isGraded),
      frames: 1)
    let still = stillFacts(width: maker.width, height: maker.height, .none)
    let file: [UInt8]
    var color = MonitorColors(maker.colors.shown)
    switch request.format {
    case .jpeg:
      let picture = try maker.jpegFrame(of: frame)
      let encoder = try JPEGEncoder(format: maker.jpegFormat, quality: request.quality)
      var room = [UInt8](repeating: 0, count: PictureBench.room(for: maker.jpegFormat))
      let count = try PictureBench.encode(picture, encoder, into: &room)
      room.removeLast(room.count - count)
      file = try ExifBlock(still).written(into: room)
    case .png:
      color = .rgb(maker.colors.shown.transfer, maker.colors.shown.primaries)
      file = try png(of: frame, maker, still)
    }
    return Snapshot(header: header(color, width: maker.width, height: maker.height), file: file)
  }

  /// A camera's own JPEG, with the metadata put in. A viewer turns it upright.
  func made(ofImage image: [UInt8]) throws(CamrecError) -> Snapshot {
    let format = camera.remains.format, rotation = camera.view.rotation
    let still = stillFacts(width: format.width, height: format.height, rotation)
    let file = try ExifBlock(still).written(into: try MotionJPEG.file(from: image))
    var color = camera.view.color
    (color.matrix, color.range) = (.rec601, .full)
    let isTurned = rotation.isTurnedByQuarter
    return Snapshot(
      header: header(
        MonitorColors(color), width: isTurned ? format.height : format.width,
        height: isTurned ? format.width : format.height),
      file: file)
  }

  private func header(_ color: MonitorColors, width: Int, height: Int) -> MonitorHeader {
    var flags: MonitorFlags = request.isGraded && camera.view.isGraded ? [.graded] : []
    if camera.isExposed { flags.insert(.exposureSettled) }
    var header = MonitorHeader(.snapshot, facts, color, flags)
    (header.width, header.height) = (UInt16(clamping: width), UInt16(clamping: height))
    return header
  }

  private func stillFacts(width: Int, height: Int, _ rotation: Rotation) -> StillFacts {
    let age = Double(MonotonicTime.now() - facts.captureTime) * 1e-9
    let withLook = request.isGraded ? camera.view.softwareWithLook : nil
    return StillFacts(
      camera: camera.remains.name, software: withLook ?? camera.view.software,
      date: Date(timeIntervalSinceNow: -age), width: width, height: height, rotation: rotation,
      exposureTime: facts.exposure?.exposureTime, iso: facts.exposure?.iso, hasLook: withLook != nil)
  }

  private func png(
    of frame: borrowing Frame, _ maker: PictureMaker, _ still: StillFacts
  ) throws(CamrecError) -> [UInt8] {
    var png = try MemoryPNG(
      width: maker.width, height: maker.height, bits: maker.pngBits, exif: try ExifBlock(still).bytes)
    var strip = [UInt8](repeating: 0, count: SnapshotFile.strip * maker.pngRowBytes)
    for first in stride(from: 0, to: maker.height, by: SnapshotFile.strip) {
      let rows = first..<min(first + SnapshotFile.strip, maker.height)
      unsafe strip.withUnsafeMutableBytes { room in unsafe maker.pngRows(rows, of: frame, into: room) }
      try png.write(rows: rows.count, from: strip)
    }
    let file = try png.finish()
    do throws(SystemCallError) {
      return try file.read(at: 0, count: file.size)
    } catch {
      throw CamrecError(.output, "there is no memory for a PNG", cause: error.words)
    }
  }

  /// Rows that are converted at once: of a turned picture, each reads all of the frame's columns.
  private static let strip = 128
}
