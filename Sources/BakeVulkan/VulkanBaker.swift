public import Bake
import CVulkan
import Foundation
public import Frames
public import Kernels
import Platform
import Synchronization

/// Bakes on a GPU, with the same bits as the CPU's kernels.
///
/// Everything is created once: a slot (buffers, commands, a fence) for each frame underway, and the frames that it
/// lends, in memory that the GPU writes. On a GPU with its own memory, separate queues copy frames in and out while the
/// previous one is baked.
///
/// Thread: one at a time; lent frames may end on any thread. Lives as long as any lent frame.
///
/// `@unchecked Sendable`: only `begin`, `finish` and `timeShader` touch any `var`, one thread at a time.
public final class VulkanBaker: BakeDevice, FrameOwner, @unchecked Sendable {
  /// How frames reach the shader.
  public enum Transfers: Hashable, Sendable {
    /// Copied if the GPU has its own memory.
    case automatic
    case copied
    /// The shader reads and writes the host's memory.
    case direct
  }

  /// Frames underway: one on its way in, one being baked, one on its way out.
  static let slots = 3
  public var depth: Int { VulkanBaker.slots }
  public let name: String
  public let isSoftware: Bool

  /// How long a caller without a deadline waits for a frame, in nanoseconds: longer than a GPU is busy with other work.
  public static let longPatience: Int64 = 5_000_000_000
  /// A wait this many times as long as the longest so far means that something is wrong with the GPU.
  private static let patienceFactor: Int64 = 3

  private let baker: OpaquePointer
  private let input: FrameFormat
  private let output: FrameFormat
  private let lent: Int
  private let storages: [FrameStorage]
  private let free: Mutex<[Int]>
  private let sources: [UnsafeMutableRawPointer]
  /// The target of each slot.
  private var intoTarget: [Int]
  private var oldest = 0
  private var underway = 0
  private let patience: ClosedRange<Int64>
  /// Nanoseconds.
  private var longestWait: Int64 = 0

  /// Bakes a frame in each slot before it returns, because a driver may compile the shader only then, and to find a GPU
  /// that hangs from the start.
  ///
  /// - Parameters:
  ///   - kernel: the bake to do; not needed afterwards.
  ///   - frames: baked frames that may be lent at once.
  ///   - patience: the range, in nanoseconds, for the time after which a GPU that does not answer counts as lost. This
  ///     is three times its longest wait so far, and never less than 1.5 times that wait.
  /// - Throws: code `device` if there is no GPU or it cannot do this, code `usage` for 4:4:4.
  public init(
    _ kernel: BakeKernel, frames: Int, library: VulkanLibrary, transfers: Transfers = .automatic,
    patience: ClosedRange<Int64> = longPatience...longPatience
  ) throws(CamrecError) {
    guard kernel.output.layout.chroma != .yuv444 else {
      throw CamrecError(
        .usage, about: .bakeOn,
        "the GPU does not bake into 4:4:4; leave out \(setting: .bakeOn) gpu, or choose another \(setting: .profile)",
        reason: .notOffered)
    }
    let index = try library.best(), gpu = library.gpus[index]
    let targets = frames + VulkanBaker.slots
    let opened = try VulkanBaker.open(kernel, targets: targets, library: library, index: index, transfers: transfers)
    let input = kernel.input.packed, output = kernel.output.packed
    baker = opened
    self.input = input
    self.output = output
    name = gpu.name
    isSoftware = gpu.kind == .software
    lent = frames
    self.patience = patience
    sources = (0..<VulkanBaker.slots).map { UnsafeMutableRawPointer(cvk_source(opened, UInt32($0))) }
    storages = (0..<targets).map { target in
      let start = UnsafeMutableRawPointer(cvk_target(opened, UInt32(target))!)
      return FrameStorage(planes: (0..<output.planeCount).map { start + output.start(plane: $0) }, index: target)
    }
    free = Mutex(Array(0..<targets))
    intoTarget = Array(repeating: 0, count: VulkanBaker.slots)
    // The first time, a driver may compile the shader, which says nothing about later waits.
    try bakeOnce()
    longestWait = 0
    try bakeOnce()
  }

  deinit { cvk_baker_close(baker) }

  private static func open(
    _ kernel: BakeKernel, targets: Int, library: VulkanLibrary, index: Int, transfers: Transfers
  ) throws(CamrecError) -> OpaquePointer {
    let gpu = library.gpus[index], constants = kernel.constants
    let input = kernel.input.packed, output = kernel.output.packed
    let largest = max(input.byteCount, output.byteCount, constants.tableBytes)
    guard UInt64(largest) <= gpu.bufferLimit else {
      throw CamrecError(
        .device, about: .bakeOn,
        "\(gpu.name) takes at most \(gpu.bufferLimit) bytes in one piece, and this bake needs \(largest); use a "
          + "smaller LUT, or \(setting: .bakeOn) cpu", reason: .notOffered)
    }
    let words = ShaderConstants(constants, source: input, target: output).words
    let hasOwnMemory = gpu.kind == .discrete || gpu.kind == .virtual
    // The part of a frame that one group of the shader's invocations bakes.
    let group = (columns: 8 * 32, rows: 2 * 4)
    var opened: OpaquePointer?
    let status = kernel.withTablePoints { table in
      kernel.withShaperPoints { shaper in
        words.withUnsafeBufferPointer { words in
          var setup = cvk_setup()
          setup.device = UInt32(index)
          setup.constants = words.baseAddress
          setup.constant_count = UInt32(words.count)
          setup.table = table.baseAddress
          setup.table_bytes = table.count
          setup.shaper = shaper.baseAddress
          setup.shaper_bytes = shaper.count
          setup.source_bytes = input.byteCount
          setup.target_bytes = output.byteCount
          setup.groups_x = UInt32((input.width + group.columns - 1) / group.columns)
          setup.groups_y = UInt32((input.height + group.rows - 1) / group.rows)
          setup.slots = UInt32(slots)
          setup.targets = UInt32(targets)
          setup.is_staged = transfers == .copied || (transfers == .automatic && hasOwnMemory) ? 1 : 0
          return cvk_baker_open(library.loader, &setup, &opened)
        }
      }
    }
    try VulkanCall.check(status, "\(gpu.name) cannot bake this; use \(setting: .bakeOn) cpu")
    guard let opened else { throw CamrecError(.defect, "Vulkan opened the GPU, but returned none") }
    return opened
  }

  /// Bakes each slot once, whatever it contains.
  private func bakeOnce() throws(CamrecError) {
    for slot in 0..<UInt32(depth) {
      try VulkanCall.check(cvk_submit(baker, slot, slot), "\(name) did not accept a frame")
    }
    for slot in 0..<UInt32(depth) { try wait(slot, patience: VulkanBaker.longPatience) }
  }

  public func begin(_ frame: borrowing Frame) throws(CamrecError) {
    precondition(underway < depth, "all slots are in use")
    guard let target = free.withLock({ $0.popLast() }) else {
      throw CamrecError(.defect, "all \(lent) frames of the bake are in use; a consumer keeps too many")
    }
    let slot = (oldest + underway) % depth
    copy(frame, to: sources[slot])
    try VulkanCall.check(cvk_submit(baker, UInt32(slot), UInt32(target)), "\(name) did not accept a frame")
    intoTarget[slot] = target
    underway += 1
  }

  public func finish() throws(CamrecError) -> Frame {
    precondition(underway > 0, "no frame is underway")
    let ordinary = min(max(VulkanBaker.patienceFactor * longestWait, patience.lowerBound), patience.upperBound)
    try wait(UInt32(oldest), patience: min(max(ordinary, longestWait * 3 / 2), VulkanBaker.longPatience))
    let target = intoTarget[oldest]
    oldest = (oldest + 1) % depth
    underway -= 1
    return Frame(format: output, storage: storages[target], owner: self)
  }

  /// The time of the shader alone for a frame, in nanoseconds, without the copies to the GPU and back: the mean over
  /// `frames` bakes of the slots' present content.
  ///
  /// - Precondition: no frame is underway.
  public func timeShader(frames: Int) throws(CamrecError) -> Double {
    precondition(underway == 0 && frames > 0, "frames are underway")
    let begin = MonotonicTime.now()
    for number in 0..<frames + depth {
      let slot = UInt32(number % depth)
      if number >= depth { try wait(slot, patience: VulkanBaker.longPatience) }
      if number < frames { try VulkanCall.check(cvk_submit_shader(baker, slot), "\(name) did not accept a frame") }
    }
    return Double(MonotonicTime.now() - begin) / Double(frames)
  }

  private func wait(_ slot: UInt32, patience: Int64) throws(CamrecError) {
    let begin = MonotonicTime.now()
    let status = cvk_wait(baker, slot, UInt64(patience))
    guard status.result != CVK_TIMEOUT else {
      throw CamrecError(
        .device, "\(name) lost a frame", cause: "vkWaitForFences: no answer for \(patience / 1_000_000) ms")
    }
    try VulkanCall.check(status, "\(name) lost a frame")
    longestWait = max(longestWait, MonotonicTime.now() - begin)
  }

  public func frameEnded(_ storage: FrameStorage) { free.withLock { $0.append(storage.index) } }

  /// Copies row by row, unless the rows already lie as the shader needs them.
  private func copy(_ frame: borrowing Frame, to memory: UnsafeMutableRawPointer) {
    let format = frame.format
    precondition(
      format.width == input.width && format.height == input.height && format.layout == input.layout,
      "a frame of another format")
    for plane in 0..<format.planeCount {
      let from = frame.storage.pointer(plane: plane), to = memory + input.start(plane: plane)
      let rowBytes = format.layout.rowBytes(plane: plane, width: format.width)
      let rows = format.layout.rows(plane: plane, height: format.height)
      let stride = format.stride(plane: plane), packed = input.stride(plane: plane)
      if stride == packed {
        // The last row may lack its padding.
        to.copyMemory(from: from, byteCount: (rows - 1) * packed + rowBytes)
        continue
      }
      for row in 0..<rows { (to + row * packed).copyMemory(from: from + row * stride, byteCount: rowBytes) }
    }
  }
}

extension FrameFormat {
  /// The same with rows of a multiple of 64 bytes: whole words, with room for the shader's last block of each row.
  fileprivate var packed: FrameFormat { FrameFormat(width: width, height: height, layout: layout, color: color) }
}

extension BakeConstants {
  fileprivate var tableBytes: Int {
    if case .table(let table) = operation { return table.byteCount }
    return 0
  }
}
