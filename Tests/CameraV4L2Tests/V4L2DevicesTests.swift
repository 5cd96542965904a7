import CameraV4L2
import Cameras
import Foundation
import Frames
import Testing

@Suite struct V4L2DevicesTests {
  /// Runs `body` with folders for nodes and links that hold files of these names.
  private func withFolders(nodes: [String], _ body: (V4L2Devices.Folders, String) throws -> Void) throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "camrec-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    let folders = V4L2Devices.Folders(nodes: root.path, links: root.appending(path: "by-id").path)
    try FileManager.default.createDirectory(
      at: root.appending(path: "by-id"), withIntermediateDirectories: true)
    for name in nodes { try Data().write(to: root.appending(path: name)) }
    try body(folders, root.path)
  }

  private func refusal(_ folders: V4L2Devices.Folders) -> CamrecError? {
    do throws(CamrecError) {
      _ = try V4L2Devices.firstCapture(in: folders)
      return nil
    } catch {
      return error
    }
  }

  @Test func noNodes_saysWhatWasLookedAt() throws {
    try withFolders(nodes: ["null", "videoX"]) { folders, root in
      #expect(V4L2Devices.list(in: folders) == [])
      #expect(refusal(folders)?.code == .device)
      #expect(
        refusal(folders)?.message
          == "no camera found: there is no \(root)/video*; plug one in, or use --camera sim")
    }
  }

  @Test func nodesThatAreNoCameras_areListedByNumberWithTheReason() throws {
    try withFolders(nodes: ["video10", "video2", "video"]) { folders, root in
      try FileManager.default.createSymbolicLink(
        atPath: folders.links + "/usb-Maker_Camera-index0", withDestinationPath: "../video2")
      let list = V4L2Devices.list(in: folders)
      #expect(list.map(\.path) == ["\(root)/video2", "\(root)/video10"])
      #expect(list.map(\.stablePath) == ["\(folders.links)/usb-Maker_Camera-index0", nil])
      #expect(list.allSatisfy { $0.problem?.contains("is not a camera") == true })
      #expect(refusal(folders)?.message.contains("\(root)/video2 is not a camera") == true)
    }
  }

  @Test func info_survivesJSON() throws {
    var range = CameraListing.Size(width: 16, height: 16, rates: ["5", "60"], areRatesContinuous: true)
    range.largestWidth = 1920
    let info = CameraListing(
      path: "/dev/video0", stablePath: "/dev/v4l/by-id/x", driver: "uvcvideo", card: "Cam", bus: "usb-1",
      formats: [.init(name: "yuyv", code: "YUYV", description: "YUYV 4:2:2", isReadable: true, sizes: [range])],
      controls: [
        .init(
          id: 0x9a0901, name: "auto_exposure", kind: .menu, minimum: 0, maximum: 3, step: 1, defaultValue: 3, value: 3,
          menu: [.init(value: 1, name: "Manual Mode")])
      ])
    #expect(try JSONDecoder().decode(CameraListing.self, from: JSONEncoder().encode(info)) == info)
  }
}
