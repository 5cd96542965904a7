import ArgumentParser
import Assembly
import AudioALSA
import BakeVulkan
import Cameras
import Foundation
import Frames
import Reporting

/// `camrec devices`.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List cameras (formats, sizes, frame rates, controls), microphones and GPUs.",
    usage: "camrec devices [--json]",
    discussion: """
      Use these names with --camera, --pixel-format, --size, --fps and --microphone. The simulated camera (sim) is \
      always available and not listed. The GPUs are those with a Vulkan driver, for --bake-on.
      """)

  @Flag(help: "Print one JSON object.")
  var json = false

  private struct Listing: Encodable {
    let cameras: [CameraListing]
    let microphones: [ALSADeviceInfo]
    let gpus: [GPUInfo]
  }

  func run() throws {
    let listing = Listing(
      cameras: CameraProviders.standard.list(), microphones: ALSADevices.list(), gpus: VulkanLibrary.gpus())
    guard json else {
      let lines = DeviceListing.lines(
        cameras: listing.cameras, microphones: listing.microphones, gpus: listing.gpus)
      Console.print(lines.joined(separator: "\n"))
      return
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try Console.print(json: encoder.encode(listing))
  }
}
