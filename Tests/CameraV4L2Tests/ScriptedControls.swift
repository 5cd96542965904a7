import CameraV4L2
import Cameras
import Foundation
import Frames
import Glibc
import Synchronization

/// A driver's controls that do what a test says, also what no driver does on demand.
final class ScriptedControls: ControlPort {
  struct Entry: Sendable {
    var facts: ControlFacts
    var value: Int64
    /// Index → number.
    var menu: [Int64: Int64] = [:]
    /// The control that rules it, and the value of that one which lets go.
    var ruler: (id: UInt32, manual: Int64)?
    /// Whether the driver says that it is ruled, or only refuses.
    var tellsRule = true
    /// What the driver makes of a value.
    var applies: (@Sendable (Int64) -> Int64)?
    var queryFailure: Int32?
    var readFailure: Int32?
    var writeFailure: Int32?
    var tellsChanges = false
  }

  private struct State {
    var entries: [UInt32: Entry] = [:]
    var areas: CropAreas?
    var picture = CropArea(width: 1280, height: 720)
    /// Without it a crop changes the picture's size.
    var scales = true
    var isGone = false
    var log: [String] = []
    var changed: [UInt32] = []
    var willSet: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Numbers that were written, as `id=value`, and crops.
  var log: [String] { state.withLock { $0.log } }

  func value(_ id: Int32) -> Int64? { state.withLock { $0.entries[UInt32(id)]?.value } }
  func forgetLog() { state.withLock { $0.log = [] } }
  func unplug() { state.withLock { $0.isGone = true } }
  func plug() { state.withLock { $0.isGone = false } }
  /// Runs before each write.
  func beforeWriting(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.willSet = action } }
  func tell(_ id: Int32) { state.withLock { $0.changed.append(UInt32(id)) } }
  func crops(_ areas: CropAreas, scales: Bool = true) {
    state.withLock {
      $0.areas = areas
      $0.scales = scales
    }
  }
  var area: CropArea? { state.withLock { $0.areas?.current } }

  func add(_ id: Int32, _ facts: ControlFacts, value: Int64, _ change: (inout Entry) -> Void = { _ in }) {
    var entry = Entry(facts: facts, value: value)
    change(&entry)
    state.withLock { $0.entries[UInt32(id)] = entry }
  }

  func change(_ id: Int32, _ change: (inout Entry) -> Void) {
    state.withLock { if var entry = $0.entries[UInt32(id)] { change(&entry); $0.entries[UInt32(id)] = entry } }
  }

  /// A number from `range`.
  func addNumber(_ id: Int32, _ range: ClosedRange<Int64>, step: Int64 = 1, value: Int64, standard: Int64 = 0) {
    add(
      id,
      ControlFacts(
        id: UInt32(id), minimum: range.lowerBound, maximum: range.upperBound, step: step, defaultValue: standard),
      value: value)
  }

  func addFlag(_ id: Int32, _ isOn: Bool, standard: Bool = false) {
    add(
      id,
      ControlFacts(id: UInt32(id), kind: .boolean, minimum: 0, maximum: 1, defaultValue: standard ? 1 : 0),
      value: isOn ? 1 : 0)
  }

  func addMenu(_ id: Int32, _ items: [Int64: Int64], isNumbers: Bool = false, value: Int64, standard: Int64 = 0) {
    add(
      id,
      ControlFacts(
        id: UInt32(id), kind: isNumbers ? .integerMenu : .menu, minimum: 0, maximum: items.keys.max() ?? 0,
        defaultValue: standard), value: value
    ) { $0.menu = items }
  }

  /// `id` is refused while `ruler` is anything but `manual`.
  func rule(_ id: Int32, by ruler: Int32, manual: Int64, tells: Bool = true) {
    change(id) {
      $0.ruler = (UInt32(ruler), manual)
      $0.tellsRule = tells
    }
  }

  // MARK: ControlPort

  func facts(of id: UInt32) throws(V4L2CallError) -> ControlFacts? {
    let state = try answer("VIDIOC_QUERY_EXT_CTRL")
    guard let entry = state.entries[id] else { return nil }
    if let number = entry.queryFailure { throw V4L2CallError(call: "VIDIOC_QUERY_EXT_CTRL", number: number) }
    var facts = entry.facts
    if entry.tellsRule, ScriptedControls.isRuled(entry, state) { facts.isInactive = true }
    return facts
  }

  func menuItem(_ index: Int64, of control: ControlFacts) throws(V4L2CallError) -> ControlMenuItem? {
    try answer("VIDIOC_QUERYMENU").entries[control.id]?.menu[index].map { ControlMenuItem(index: index, number: $0) }
  }

  func value(of control: ControlFacts) throws(V4L2CallError) -> Int64 {
    let entry = try answer("VIDIOC_G_CTRL").entries[control.id]
    if let number = entry?.readFailure { throw V4L2CallError(call: "VIDIOC_G_CTRL", number: number) }
    return entry?.value ?? 0
  }

  func set(_ control: ControlFacts, to value: Int64) throws(V4L2CallError) {
    let state = try answer("VIDIOC_S_CTRL")
    state.willSet?()
    guard let entry = state.entries[control.id] else { throw V4L2CallError(call: "VIDIOC_S_CTRL", number: EINVAL) }
    if let number = entry.writeFailure { throw V4L2CallError(call: "VIDIOC_S_CTRL", number: number) }
    if ScriptedControls.isRuled(entry, state) { throw V4L2CallError(call: "VIDIOC_S_CTRL", number: EACCES) }
    self.state.withLock {
      $0.log.append("\(control.id)=\(value)")
      $0.entries[control.id]?.value = entry.applies?(value) ?? value
    }
  }

  func watch(_ id: UInt32) throws(V4L2CallError) -> Bool {
    try answer("VIDIOC_SUBSCRIBE_EVENT").entries[id]?.tellsChanges ?? false
  }

  func nextChange() throws(V4L2CallError) -> UInt32? {
    _ = try answer("VIDIOC_DQEVENT")
    return state.withLock { $0.changed.isEmpty ? nil : $0.changed.removeFirst() }
  }

  func crop() throws(V4L2CallError) -> CropAreas? { try answer("VIDIOC_G_SELECTION").areas }

  func setCrop(_ area: CropArea) throws(V4L2CallError) -> CropArea {
    try answer("VIDIOC_S_SELECTION").willSet?()
    return state.withLock {
      $0.areas?.current = area
      $0.log.append("crop \(area.left),\(area.top) \(area.width)x\(area.height)")
      if !$0.scales { $0.picture = CropArea(width: area.width, height: area.height) }
      return area
    }
  }

  func pictureSize() throws(V4L2CallError) -> CropArea { try answer("VIDIOC_G_FMT").picture }

  private func answer(_ call: StaticString) throws(V4L2CallError) -> State {
    let now = state.withLock { $0 }
    if now.isGone { throw V4L2CallError(call: call, number: ENODEV) }
    return now
  }

  private static func isRuled(_ entry: Entry, _ state: State) -> Bool {
    guard let ruler = entry.ruler else { return false }
    return state.entries[ruler.id]?.value != ruler.manual
  }
}

/// V4L2's numbers, from the kernel's header: tests import no C.
enum ID {
  static let gain: Int32 = 0x980913
  static let autoGain: Int32 = 0x980912
  static let exposureLines: Int32 = 0x980911
  static let redBalance: Int32 = 0x98090e
  static let mains: Int32 = 0x980918
  static let whiteBalance: Int32 = 0x98091a
  static let autoWhiteBalance: Int32 = 0x98090c
  static let exposureMode: Int32 = 0x9a0901
  static let exposureTime: Int32 = 0x9a0902
  static let priority: Int32 = 0x9a0903
  static let pan: Int32 = 0x9a0908
  static let tilt: Int32 = 0x9a0909
  static let focus: Int32 = 0x9a090a
  static let autofocus: Int32 = 0x9a090c
  static let zoom: Int32 = 0x9a090d
  static let aperture: Int32 = 0x9a0911
  static let bias: Int32 = 0x9a0913
  static let stabilization: Int32 = 0x9a0916
  static let iso: Int32 = 0x9a0917
  static let autoISO: Int32 = 0x9a0918
  static let locks: Int32 = 0x9a091b
  static let focusStart: Int32 = 0x9a091c
  static let focusStop: Int32 = 0x9a091d
  static let focusStatus: Int32 = 0x9a091e
  static let analogueGain: Int32 = 0x9e0903
  static let sensorRotation: Int32 = 0x9a0923
  static let torchMode: Int32 = 0x9c0901
  static let torchIntensity: Int32 = 0x9c0908
}

/// A folder that goes with the test.
final class StateRoom: Sendable {
  let path = FileManager.default.temporaryDirectory.appending(path: "camrec-\(UUID().uuidString)").path
  deinit { try? FileManager.default.removeItem(atPath: path) }

  func open(_ port: ScriptedControls, keeping: ControlKeeping = .untilRestored, identity: String = "id") -> V4L2Controls
  {
    V4L2Controls(name: "cam", identity: identity, port: port, folder: path, keeping: keeping)
  }

  /// Names that begin with `found`, apart from the locks.
  var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { !$0.hasSuffix(".lock") }
  }
}
