import Bake
import BakeVulkan
import Color
import Frames
import Kernels
import TestKit
import Testing

/// How a GPU is found, used and lost.
@Suite struct VulkanBakerTests {
  static let lost = -4, outOfMemory = -2, noDriver = -9, stillRunning = 2

  @Test func aDeviceHasANameAndAKind() throws {
    let gpus = try GPUCase.vulkan.get().gpus
    #expect(!gpus.isEmpty && gpus.allSatisfy { !$0.name.isEmpty && $0.vulkan.hasPrefix("1.") && $0.memory > 0 })
  }

  @Test func withoutALibraryThereIsOneSentence() throws {
    let error = #expect(throws: CamrecError.self) { try VulkanLibrary(name: "/nowhere/libvulkan.so.1") }
    #expect(error?.code == .device)
    #expect(
      error?.message
        == "Vulkan is not available: /nowhere/libvulkan.so.1 does not load; install the GPU's Vulkan driver and loader "
        + "(libvulkan1), or use --bake-on cpu")
    #expect(error?.cause?.contains("No such file or directory") == true)
  }

  @Test func aLibraryThatIsNoVulkanIsRefused() throws {
    let error = #expect(throws: CamrecError.self) { try VulkanLibrary(name: "libc.so.6") }
    #expect(error?.code == .device && error?.message.contains("libc.so.6 does not load") == true)
  }

  @Test func withoutADriverThereIsOneSentence() throws {
    let faulty = try FaultyLibrary("CreateInstance", from: 1, result: Self.noDriver)
    let library = try VulkanLibrary(name: faulty.path)
    #expect(library.gpus.isEmpty)
    let kernel = try GPUCase().kernel(width: 16, height: 16)
    let error = #expect(throws: CamrecError.self) { try VulkanBaker(kernel, frames: 1, library: library) }
    #expect(error?.code == .device)
    #expect(
      error?.message
        == "there is no GPU with a Vulkan driver; install one (vulkaninfo lists them), or use --bake-on cpu")
  }

  @Test(arguments: 1...6)
  func memoryThatIsNotThereIsOneSentence_whereverItEnds(number: Int) throws {
    let faulty = try FaultyLibrary("AllocateMemory", from: number, result: Self.outOfMemory)
    let library = try VulkanLibrary(name: faulty.path)
    let kernel = try GPUCase().kernel(width: 16, height: 16)
    let error = #expect(throws: CamrecError.self) {
      try VulkanBaker(kernel, frames: 1, library: library, transfers: .copied)
    }
    #expect(error?.code == .device && error?.message.hasSuffix(" cannot bake this; use --bake-on cpu") == true)
    #expect(error?.cause == "vkAllocateMemory: VK_ERROR_OUT_OF_DEVICE_MEMORY")
  }

  @Test func aTableTooLargeForTheGPUIsOneSentence() throws {
    let poor = try FaultyLibrary("GetPhysicalDeviceProperties", from: 1, result: 100_000)
    let library = try VulkanLibrary(name: poor.path)
    let kernel = try GPUCase(lut: .noise(size: 33, seed: 6)).kernel(width: 16, height: 16)
    let error = #expect(throws: CamrecError.self) { try VulkanBaker(kernel, frames: 1, library: library) }
    let name = try #require(library.gpus.first?.name)
    let bytes = 8 * (33 * 33 * 33 + 33 * 33 + 33 + 1)
    #expect(error?.code == .device)
    #expect(
      error?.message
        == "\(name) takes at most 100000 bytes in one piece, and this bake needs \(bytes); use a smaller LUT, or "
        + "--bake-on cpu")
    #expect(throws: Never.self) {
      try VulkanBaker(try GPUCase(lut: IdentityTests.cube).kernel(width: 16, height: 16), frames: 1, library: library)
    }
  }

  // MARK: Frames

  @Test(arguments: [VulkanBaker.Transfers.copied, .direct])
  func severalFramesAreUnderway_andComeOutInOrder(transfers: VulkanBaker.Transfers) throws {
    let bake = GPUCase(lut: IdentityTests.cube)
    let kernel = try bake.kernel(width: 130, height: 70)
    let gpu = try VulkanBaker(kernel, frames: 2, library: try GPUCase.vulkan.get(), transfers: transfers)
    #expect(gpu.depth == 3)
    let pool = FramePool(format: kernel.input, capacity: 1)
    var random = SplitMix(seed: 1)
    var expected: [[[UInt8]]] = []
    for number in 0..<12 {
      if number >= gpu.depth { #expect(FrameRows.of(try gpu.finish()) == expected[number - gpu.depth]) }
      let noise = try NoiseFrame.take(from: pool, using: &random)
      expected.append(FrameRows.of(try NoiseFrame.bake(noise, by: kernel)))
      try gpu.begin(noise)
    }
    for number in 9..<12 { #expect(FrameRows.of(try gpu.finish()) == expected[number]) }
  }

  @Test(arguments: [VulkanBaker.Transfers.copied, .direct])
  func theShaderIsTimedAlone_andFramesComeOutAfterwards(transfers: VulkanBaker.Transfers) throws {
    let kernel = try GPUCase(lut: IdentityTests.cube).kernel(width: 66, height: 34)
    let gpu = try VulkanBaker(kernel, frames: 1, library: try GPUCase.vulkan.get(), transfers: transfers)
    #expect(try gpu.timeShader(frames: 5) > 0)
    let pool = FramePool(format: kernel.input, capacity: 1)
    var random = SplitMix(seed: 5)
    let noise = try NoiseFrame.take(from: pool, using: &random)
    try gpu.begin(noise)
    #expect(FrameRows.of(try gpu.finish()) == FrameRows.of(try NoiseFrame.bake(noise, by: kernel)))
  }

  @Test func framesThatAreStillOutOutliveTheBaker() throws {
    let kernel = try GPUCase(lut: IdentityTests.cube).kernel(width: 64, height: 64)
    let pool = FramePool(format: kernel.input, capacity: 1)
    var random = SplitMix(seed: 2)
    let noise = try NoiseFrame.take(from: pool, using: &random)
    func bake(_ noise: borrowing Frame) throws -> Frame {
      let gpu = try VulkanBaker(kernel, frames: 1, library: try GPUCase.vulkan.get())
      try gpu.begin(noise)
      return try gpu.finish()
    }
    let kept = try bake(noise)
    #expect(kept.format == kernel.output)
    #expect(FrameRows.of(kept) == FrameRows.of(try NoiseFrame.bake(noise, by: kernel)))
  }

  @Test func tooManyFramesOutIsADefect() throws {
    let kernel = try GPUCase().kernel(width: 16, height: 16)
    let gpu = try VulkanBaker(kernel, frames: 1, library: try GPUCase.vulkan.get())
    let pool = FramePool(format: kernel.input, capacity: 1)
    var out = FixedRing<Frame>(capacity: 8)
    var random = SplitMix(seed: 3)
    let error = #expect(throws: CamrecError.self) {
      while true {
        let noise = try NoiseFrame.take(from: pool, using: &random)
        try gpu.begin(noise)
        out.append(try gpu.finish())
      }
    }
    #expect(error?.code == .defect && out.count == 1 + gpu.depth)
    #expect(error?.message == "all 1 frames of the bake are in use; a consumer keeps too many")
  }

  // MARK: Faults

  @Test(arguments: [("QueueSubmit", 2), ("WaitForFences", 1), ("WaitForFences", 3)])
  func aGPUThatFailsFromTheStartIsRefused(call: String, number: Int) throws {
    let faulty = try FaultyLibrary(call, from: number, result: Self.lost)
    let library = try VulkanLibrary(name: faulty.path)
    let kernel = try GPUCase().kernel(width: 16, height: 16)
    let error = #expect(throws: CamrecError.self) {
      try VulkanBaker(kernel, frames: 1, library: library, transfers: .direct)
    }
    #expect(error?.code == .device && error?.cause == "vk\(call): VK_ERROR_DEVICE_LOST")
  }

  /// Three times the longest wait so far, which is 100 ms and more here, within the range; but not less than 1.5 times.
  @Test(arguments: [(1, 5_000, 300), (700, 5_000, 700), (1, 200, 200), (1, 20, 150)])
  func patienceGoesByTheLongestWait(least: Int, most: Int, expected: Int) throws {
    let faulty = try FaultyLibrary("WaitForFences", from: 9, result: Self.stillRunning, pause: 100)
    let kernel = try GPUCase(lut: IdentityTests.cube).kernel(width: 640, height: 360)
    let gpu = try VulkanBaker(
      kernel, frames: 1, library: try VulkanLibrary(name: faulty.path),
      patience: Int64(least) * 1_000_000...Int64(most) * 1_000_000)
    let pool = FramePool(format: kernel.input, capacity: 1)
    var random = SplitMix(seed: 6)
    let error = #expect(throws: CamrecError.self) {
      while true {
        try gpu.begin(try NoiseFrame.take(from: pool, using: &random))
        _ = try gpu.finish()
      }
    }
    let cause = try #require(error?.cause), words = cause.split(separator: " ")
    #expect(cause.hasPrefix("vkWaitForFences: no answer for ") && cause.hasSuffix(" ms"))
    let waited = try #require(words.dropLast().last.flatMap { Int($0) }, "\(cause)")
    // On a busy machine a wait takes longer than it was told to.
    #expect(waited >= expected && (waited < 3 * expected || waited == most), "\(cause)")
  }

  /// What is lost at which of the film's frames, and the sentence's end. The baker's first six are no part of it.
  static let faults = [
    ("QueueSubmit", 5, lost, "vkQueueSubmit: VK_ERROR_DEVICE_LOST"),
    ("QueueSubmit", 1, lost, "vkQueueSubmit: VK_ERROR_DEVICE_LOST"),
    ("QueueSubmit", 9, outOfMemory, "vkQueueSubmit: VK_ERROR_OUT_OF_DEVICE_MEMORY"),
    ("WaitForFences", 1, lost, "vkWaitForFences: VK_ERROR_DEVICE_LOST"),
    ("WaitForFences", 4, lost, "vkWaitForFences: VK_ERROR_DEVICE_LOST"),
    ("WaitForFences", 3, stillRunning, "vkWaitForFences: no answer for "),
  ]

  @Test(arguments: faults.indices, [VulkanBaker.Transfers.copied, .direct])
  func afterALostDeviceTheCPUBakesOn_withoutLosingAFrame(index: Int, transfers: VulkanBaker.Transfers) throws {
    let (call, number, result, cause) = Self.faults[index]
    // The upload of the table is a submission as well.
    let isStaged = transfers == .copied && call == "QueueSubmit", frame = number + 6
    let faulty = try FaultyLibrary(call, from: isStaged ? 2 + 3 * frame : frame, result: result)
    let library = try VulkanLibrary(name: faulty.path)
    let kernel = try GPUCase(lut: IdentityTests.cube).kernel(width: 66, height: 34)
    let baker = try Baker(
      input: kernel.input, outputLayout: .yuv420p, outputColor: .rec709, lut: IdentityTests.cube,
      interpolation: .tetrahedral, workers: 1, frames: 2, on: .gpu,
      makeDevice: { (kernel, frames) throws(CamrecError) in
        let patience: Int64 = result == Self.stillRunning ? 20_000_000 : VulkanBaker.longPatience
        return try VulkanBaker(
          kernel, frames: frames, library: library, transfers: transfers, patience: patience...patience)
      })
    let name = try #require(baker.deviceName)
    // That it is software, where it is.
    _ = baker.takeWarning()
    let pool = FramePool(format: kernel.input, capacity: 3)
    var random = SplitMix(seed: 4)
    var expected: [[[UInt8]]] = []
    var warnings: [String] = []
    var finished = 0
    func finish() throws {
      #expect(FrameRows.of(try baker.finish()) == expected[finished], "frame \(finished)")
      finished += 1
      if let warning = baker.takeWarning() { warnings.append(warning) }
    }
    for _ in 0..<12 {
      while baker.underway >= baker.depth { try finish() }
      let noise = try NoiseFrame.take(from: pool, using: &random)
      expected.append(FrameRows.of(try NoiseFrame.bake(noise, by: kernel)))
      try baker.begin(noise)
    }
    while baker.underway > 0 { try finish() }
    #expect(finished == 12 && pool.available == 3)
    #expect(baker.deviceName == nil)
    let sentence = "\(name) failed: the CPU bakes from here on, including the frames underway (\(cause)"
    if result == Self.stillRunning {
      // How long depends on what frames took before.
      #expect(warnings.count == 1 && warnings[0].wholeMatch(of: /.*no answer for \d+ ms\)/) != nil)
      #expect(warnings[0].hasPrefix(sentence), "\(warnings)")
    } else {
      #expect(warnings == [sentence + ")"])
    }
  }
}
