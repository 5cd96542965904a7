import ArgumentParser
import AudioALSA
import CameraV4L2
import Foundation
import Frames

/// `camrec devices`.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List cameras with their formats, sizes, rates and controls, and microphones.",
    usage: "camrec devices [--json]",
    discussion: """
      The names are what --camera, --pixel-format, --size, --fps and --microphone take. The simulated camera (sim) is \
      always there and not listed.
      """)

  @Flag(help: "Print one JSON object.")
  var json = false

  private struct Listing: Encodable {
    let cameras: [V4L2DeviceInfo]
    let microphones: [ALSADeviceInfo]
  }

  func run() throws {
    let listing = Listing(cameras: V4L2Devices.list(), microphones: ALSADevices.list())
    guard json else {
      print(DeviceListing.lines(cameras: listing.cameras, microphones: listing.microphones).joined(separator: "\n"))
      return
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    print(String(decoding: try encoder.encode(listing), as: UTF8.self))
  }
}
