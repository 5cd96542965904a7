import CameraV4L2
import Cameras
import Foundation
import Frames
import Testing

/// V4L2's cameras by the paths of their nodes.
struct V4L2ProviderTests {
  @Test func aLinkAndItsNodeAreOneCamera() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "camrec-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    let links = root.appending(path: "by-id"), node = root.appending(path: "video2").path
    try FileManager.default.createDirectory(at: links, withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: node))
    let link = links.appending(path: "usb-Maker").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../video2")

    let provider = V4L2Provider(folders: V4L2Devices.Folders(nodes: root.path, links: links.path))
    let addresses = try [node, link].map { try #require(provider.address(parsing: $0)) }
    #expect(addresses.map(\.written) == [node, link])
    #expect(addresses.map { provider.name(of: $0) } == ["video2", "usb-Maker"])
    #expect(provider.place(of: addresses[0]) == provider.place(of: addresses[1]))
    #expect(provider.node(of: addresses[1]) == provider.node(of: addresses[0]))
    #expect(provider.key(of: addresses[1]) == nil, "a link finds its camera itself")
    #expect(provider.list().map(\.path) == [node] && provider.list().map(\.stablePath) == [link])
    #expect(throws: CamrecError.self) { try provider.first() }
  }

  @Test func onlyPathsAreItsAddresses() {
    let provider = V4L2Provider()
    for text in ["sim", "video0", "v4l2", "v4l2:/dev/video0", ""] {
      #expect(provider.address(parsing: text) == nil, "\(text)")
    }
    #expect(provider.address(parsing: "/dev/video0")?.written == "/dev/video0")
  }
}
