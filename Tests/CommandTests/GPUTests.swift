import Foundation
import TestKit
import Testing

/// `--bake-on` and the GPUs of `camrec devices`, on whatever Vulkan device there is: Mesa's software will do.
@Suite(.serialized) struct GPUTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
    try camrec.run(
      "lut make --from apple-log --to rec709 --size 9 look.cube".split(separator: " ").map(String.init),
      in: folder.url).expectSuccess()
  }

  @Test func theFramesAreTheCPUs() throws {
    for place in ["cpu", "gpu", "auto"] {
      let outcome = try record(place, to: "\(place).framemd5")
      #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    }
    let onCPU = try hashes("cpu.framemd5")
    #expect(onCPU.count == 24 && Set(onCPU).count == 24)
    #expect(try hashes("gpu.framemd5") == onCPU)
    #expect(try hashes("auto.framemd5") == onCPU)
  }

  @Test func theStartSaysWhoBakes() throws {
    let gpu = try #require(try gpus().first)
    let onGPU = try Events(try record("gpu", to: "gpu.framemd5", json: true))
    let name = try #require(onGPU.started["bakedOn"] as? String)
    #expect(try gpus().contains { $0["name"] as? String == name })
    let onCPU = try Events(try record("cpu", to: "cpu.framemd5", json: true))
    #expect(onCPU.started["bakedOn"] as? String == "cpu")
    if gpu["kind"] as? String == "software" {
      #expect(onGPU.warnings == ["\(name) is software on the CPU's own cores: --bake-on cpu is faster"])
      let auto = try Events(try record("auto", to: "auto.framemd5", json: true))
      #expect(auto.started["bakedOn"] as? String == "cpu" && auto.warnings == [])
    }
  }

  @Test func aLostDeviceIsAWarning_andNoFrameIsLost() throws {
    #expect(try record("cpu", to: "cpu.framemd5").exitCode == 0)
    let faulty = try FaultyLibrary("QueueSubmit", from: 19, result: -4)
    let outcome = try record("gpu", to: "gpu.framemd5", json: true, library: faulty.path)
    let events = try Events(outcome)
    #expect(outcome.exitCode == 0 && events.account == [24, 24, 24] && events.losses == [0, 0, 0, 0, 0])
    #expect(
      events.warnings.contains {
        $0.hasSuffix(
          "failed: the CPU bakes from here on, including the frames underway (vkQueueSubmit: VK_ERROR_DEVICE_LOST)")
      }, "\(events.warnings)")
    #expect(try hashes("gpu.framemd5") == hashes("cpu.framemd5"))
  }

  /// The queue before the bake holds four frames of 24 a second: 167 ms. A GPU gets half to three quarters of that.
  @Test func aGPUThatHangsWhileACameraRecordsIsNotWaitedForUntilFramesAreLost() throws {
    let faulty = try FaultyLibrary("WaitForFences", from: 20, result: 2)
    let events = try Events(try record("gpu", to: "gpu.mov", json: true, library: faulty.path, pace: "real"))
    let warning = try #require(events.warnings.first { $0.contains("failed: the CPU bakes from here on") })
    let words = warning.split(separator: " ")
    let patience = try #require(words.dropLast().last.flatMap { Int($0) }, "\(warning)")
    #expect(warning.contains("vkWaitForFences: no answer for ") && patience >= 83, "\(warning)")
    // What is lost, if anything, is lost to a busy machine: the frames after the fault are there.
    #expect(events.account.first == 24 && events.account[2] >= 20, "\(events.account)")
  }

  @Test func aGPUThatHangsIsGivenFiveSecondsWhereNothingIsLostByIt() throws {
    let faulty = try FaultyLibrary("WaitForFences", from: 20, result: 2)
    let events = try Events(try record("gpu", to: "gpu.framemd5", json: true, library: faulty.path))
    #expect(events.warnings.contains { $0.contains("vkWaitForFences: no answer for 5000 ms") }, "\(events.warnings)")
    #expect(events.account == [24, 24, 24])
  }

  // MARK: Without Vulkan

  @Test func withoutVulkanOnlyTheGPUIsRefused() throws {
    let hidden = folder.path("no/libvulkan.so.1")
    let outcome = try record("gpu", to: "gpu.framemd5", library: hidden)
    #expect(outcome.exitCode == 69)
    let lines = outcome.standardError.split(separator: "\n")
    #expect(lines.count == 1, "\(outcome.standardError)")
    #expect(
      lines.first?.hasPrefix(
        "Error: Vulkan is not available: \(hidden) does not load; install the GPU's Vulkan driver and loader "
          + "(libvulkan1), or use --bake-on cpu") == true, "\(outcome.standardError)")
    #expect(try !folder.names.contains("gpu.framemd5"))
    for place in ["cpu", "auto"] {
      let outcome = try record(place, to: "\(place).framemd5", library: hidden)
      #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    }
    #expect(try gpus(library: hidden).isEmpty)
    let listing = try devices(library: hidden)
    #expect(listing.contains("no GPUs with a Vulkan driver"))
  }

  @Test func theProgramDoesNotNeedTheLibraryToStart() throws {
    let needed = String(decoding: try Tool.run(["ldd", camrec.url.path]), as: UTF8.self)
    #expect(needed.contains("libc.so") && !needed.contains("libvulkan"))
  }

  @Test func devicesListsTheGPUs() throws {
    let gpu = try #require(try gpus().first), name = try #require(gpu["name"] as? String)
    #expect(["discrete", "integrated", "virtual", "software", "other"].contains(gpu["kind"] as? String))
    #expect((gpu["memory"] as? Int ?? 0) > 0 && (gpu["vulkan"] as? String)?.hasPrefix("1.") == true)
    let listing = try devices()
    #expect(listing.contains("GPUs:\n  \(name)  "))
  }

  // MARK: Helpers

  private func record(
    _ place: String, to output: String, json: Bool = false, library: String = "", pace: String = "pulled"
  ) throws -> CamrecBinary.Outcome {
    let arguments =
      "--camera sim:pace=\(pace) --size 162x90 --frames 24 --lut look.cube --bake-on \(place)"
      + " --output \(output)" + (json ? " --json" : "")
    return try camrec.run(
      arguments.split(separator: " ").map(String.init), in: folder.url,
      environment: ["CAMREC_VULKAN_LIBRARY": library], timeout: 60)
  }

  private func devices(library: String = "", _ options: [String] = []) throws -> String {
    let outcome = try camrec.run(
      ["devices"] + options, environment: ["CAMREC_VULKAN_LIBRARY": library], timeout: 60)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    return outcome.standardOutput
  }

  private func gpus(library: String = "") throws -> [[String: Any]] {
    let text = try devices(library: library, ["--json"])
    let listing = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    return listing?["gpus"] as? [[String: Any]] ?? []
  }

  private func hashes(_ name: String) throws -> [String] {
    try String(contentsOfFile: folder.path(name), encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { String($0.suffix(32)) }
  }
}

extension CamrecBinary.Outcome {
  fileprivate func expectSuccess() { #expect(exitCode == 0, "\(standardError)") }
}
