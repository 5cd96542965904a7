import Foundation
import TestKit
import Testing

/// `camrec bench`, on a picture so small that it takes no time.
struct BenchTests {
  private let camrec: CamrecBinary

  init() throws { camrec = try CamrecBinary.find() }

  @Test func everyMeasurementIsThereAndAPresetIsChosen() throws {
    let outcome = try camrec.run(["bench", "--size", "64x36", "--duration", "40ms", "--json"])
    #expect(outcome.exitCode == 0)
    let report = try JSONSerialization.jsonObject(with: Data(outcome.standardOutput.utf8)) as? [String: Any] ?? [:]
    let bakes = report["bakes"] as? [[String: Any]] ?? []
    #expect(Set(bakes.compactMap { $0["from"] as? String }) == ["nv12", "yuyv", "yuv422p", "p010"])
    #expect(bakes.allSatisfy { ($0["nanosecondsPerPixel"] as? Double ?? 0) > 0 })
    #expect(bakes.count { $0["level"] as? String == "scalar" } == 6)
    let encoders = report["encoders"] as? [[String: Any]] ?? []
    #expect(Set(encoders.compactMap { $0["codec"] as? String }) == ["hevc", "prores", "ffv1"])
    #expect(encoders.allSatisfy { $0["width"] as? Int == 64 && ($0["framesPerSecond"] as? Double ?? 0) > 0 })
    // The last one that goes in real time at 24 frames a second, with a quarter to spare; none on a machine that is too
    // busy.
    let fast = encoders.filter { $0["preset"] != nil && ($0["framesPerSecond"] as? Double ?? 0) * 0.75 >= 24 }
    #expect(report["preset"] as? String == fast.last?["preset"] as? String)
    #expect(report["rate"] as? String == "24" && report["size"] as? String == "64x36")
    // From ultrafast to slow, or to the first that is too slow.
    let presets = encoders.filter { $0["preset"] != nil }
    #expect(presets.first?["preset"] as? String == "ultrafast")
    let isSlow = presets.last?["preset"] as? String == "slow"
    #expect(isSlow || (presets.last?["framesPerSecond"] as? Double ?? 0) * 0.75 < 24, "\(presets)")
  }

  @Test func theGPUIsMeasuredWhereItIsAskedFor() throws {
    let outcome = try camrec.run(["bench", "--size", "64x36", "--duration", "40ms", "--bake-on", "gpu", "--json"])
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let report = try JSONSerialization.jsonObject(with: Data(outcome.standardOutput.utf8)) as? [String: Any] ?? [:]
    let bakes = report["gpuBakes"] as? [[String: Any]] ?? []
    let onCPU = report["bakes"] as? [[String: Any]] ?? []
    #expect(bakes.count == onCPU.count { $0["level"] as? String == "scalar" } && !bakes.isEmpty)
    for key in ["nanosecondsPerPixel", "shaderNanosecondsPerPixel"] {
      #expect(bakes.allSatisfy { ($0[key] as? Double ?? 0) > 0 })
    }
    #expect(bakes.allSatisfy { ($0["gpu"] as? String)?.isEmpty == false })
    let hidden = try camrec.run(
      ["bench", "--size", "64x36", "--duration", "40ms", "--bake-on", "gpu"],
      environment: ["CAMREC_VULKAN_LIBRARY": "/nowhere/libvulkan.so.1"])
    #expect(hidden.exitCode == 69 && hidden.standardError.contains("Vulkan is not available"))
  }

  @Test func aLookIsMeasuredWithItsGrain() throws {
    let look = LookFiles.portra
    let outcome = try camrec.run(
      ["bench", "--size", "64x36", "--duration", "40ms", "--look", look, "--bake-on", "gpu", "--json"], timeout: 120)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let report = try JSONSerialization.jsonObject(with: Data(outcome.standardOutput.utf8)) as? [String: Any] ?? [:]
    #expect(report["look"] as? String == look && report["lut"] == nil)
    for key in ["bakes", "gpuBakes"] {
      let bakes = report[key] as? [[String: Any]] ?? []
      #expect(!bakes.isEmpty && bakes.allSatisfy { ($0["nanosecondsPerPixel"] as? Double ?? 0) > 0 })
    }
    let words = try camrec.run(["bench", "--size", "64x36", "--duration", "40ms", "--look", look], timeout: 120)
    #expect(words.standardOutput.contains(/\n  64x36 +[0-9]+ fps without a look, +[0-9]+ fps with one\n/))
  }

  @Test func whatIsWrongIsSaid() throws {
    let size = try camrec.run(["bench", "--size", "20x20"])
    #expect(size.exitCode == 64 && size.standardError.contains("has no size 20x20"))
    let odd = try camrec.run(["bench", "--size", "641x361"])
    #expect(odd.exitCode == 64 && odd.standardError.contains("choose --size 640x360"))
    let length = try camrec.run(["bench", "--duration", "0s"])
    #expect(length.exitCode == 64 && length.standardError.contains("a duration is greater than 0"))
    let both = try camrec.run(["bench", "--lut", "a.cube", "--look", "portra-400"])
    #expect(both.exitCode == 64 && both.standardError.contains("--lut and --look exclude each other; give one of them"))
    let unknown = try camrec.run(["bench", "--look", "portra-40"])
    #expect(unknown.exitCode == 64 && unknown.standardOutput.isEmpty)
    #expect(unknown.standardError.hasPrefix("Error: there is no look 'portra-40'; "), "\(unknown.standardError)")
  }
}
