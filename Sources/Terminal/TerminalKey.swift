import Cameras
import Exposure
import Foundation
public import Recorder
public import RecorderAPI

/// The keys that control a recorder from its terminal.
public enum TerminalKey: Hashable, Sendable, CaseIterable {
  case record, marker, brighter, darker, mode, lock, whiteBalance, focus, releaseFocus, line, help, quit

  /// The key for a typed character; `nil` if it has no meaning.
  public init?(_ character: Character) {
    guard let key = TerminalKey.allCases.first(where: { $0.characters.contains(character) }) else { return nil }
    self = key
  }

  var characters: [Character] {
    switch self {
    case .record: [" "]
    case .marker: ["M"]
    // On most keyboards + is a shifted =.
    case .brighter: ["+", "="]
    case .darker: ["-"]
    case .mode: ["m"]
    case .lock: ["l"]
    case .whiteBalance: ["w"]
    case .focus: ["f"]
    case .releaseFocus: ["F"]
    case .line: [":"]
    case .help: ["?"]
    case .quit: ["q"]
    }
  }

  private var meaning: String {
    switch self {
    case .record: "start or stop a film"
    case .marker: "set a marker with a number"
    case .brighter: "1/3 EV brighter"
    case .darker: "1/3 EV darker"
    case .mode: "exposure: shutter-priority or auto"
    case .lock: "lock or unlock the exposure"
    case .whiteBalance: "the next white balance"
    case .focus: "focus and hold"
    case .releaseFocus: "release the focus"
    case .line: "a command of 'camrec ctl' but watch and snapshot: rate 30, marker take 2"
    case .help: "this list"
    case .quit: "end the film, and camrec"
    }
  }

  /// A line for each key.
  public static var list: String {
    allCases.map { key in
      let name = key == .record ? "space" : key.characters.map(String.init).joined(separator: " ")
      return "  \(name.padding(toLength: 7, withPad: " ", startingAt: 0))\(key.meaning)"
    }.joined(separator: "\n")
  }

  /// The command for a recorder in this state; `nil` for help, and for a line that must still be typed.
  ///
  /// - Parameter presets: the white balances that the camera has; empty if that is not known.
  public func command(for state: RecorderState, presets: [String] = []) -> RecorderCommand? {
    switch self {
    case .record: state.phase == .standby ? .start : .stop
    case .marker: .marker(nil)
    case .brighter: .exposure(.bias(TerminalKey.bias(state, thirds: 1)))
    case .darker: .exposure(.bias(TerminalKey.bias(state, thirds: -1)))
    case .mode: .exposure(.mode(TerminalKey.exposure(state)?.mode == "auto" ? .shutterPriority : .auto))
    case .lock: .exposure(.lock(TerminalKey.exposure(state)?.isLocked != true))
    case .whiteBalance:
      .control(name: "white-balance", value: TerminalKey.preset(after: state.whiteBalance, among: presets).rawValue)
    case .focus: .focus(x: nil, y: nil)
    case .releaseFocus: .releaseFocus
    case .line, .help: nil
    case .quit: .quit
    }
  }

  /// What to show of the state once the command is done; `nil` if the recorder reports enough itself.
  public func outcome(in state: RecorderState) -> String? {
    switch self {
    case .record, .line, .help, .quit: nil
    case .marker: state.marker?.description
    case .brighter, .darker: TerminalKey.exposure(state).map { String(format: "%+.2f EV", $0.bias) }
    case .mode: TerminalKey.exposure(state).map { "exposure \($0.mode)" }
    case .lock: TerminalKey.exposure(state).map { "exposure \($0.isLocked ? "locked" : "unlocked")" }
    case .whiteBalance: state.whiteBalance.map { "white balance \($0)" }
    case .focus, .releaseFocus: state.focus.map { "focus \($0.phase.rawValue)" }
    }
  }

  /// The camera's exposure, or the next film's while no camera is open.
  private static func exposure(_ state: RecorderState) -> RecorderState.NextExposure? {
    guard let now = state.exposure else { return state.nextExposure }
    return RecorderState.NextExposure(mode: now.mode, bias: now.bias, isLocked: now.isLocked)
  }

  private static func bias(_ state: RecorderState, thirds: Double) -> Stops {
    let now = ((TerminalKey.exposure(state)?.bias ?? 0) * 3).rounded()
    return Stops((now + thirds) / 3).clamped(to: Stops(units: -limit)...Stops(units: limit))
  }

  private static let limit = Stops.biasLimit * Stops.unitsPerEV

  /// The preset that follows the one nearest to the present value.
  private static func preset(after text: String?, among presets: [String]) -> WhiteBalancePreset {
    let digits = (text ?? "").prefix { $0.isNumber || $0 == "." }
    let kelvin = Double(digits) ?? 0
    func distance(_ preset: WhiteBalancePreset) -> Double { abs((preset.kelvin ?? .infinity) - kelvin) }
    let known = WhiteBalancePreset.allCases.filter { presets.contains($0.rawValue) }
    let all = known.isEmpty ? WhiteBalancePreset.allCases : known
    let now = digits.isEmpty ? .auto : all.min { distance($0) < distance($1) } ?? .auto
    // Before the first one, if the camera has no automatic.
    return all[((all.firstIndex(of: now) ?? all.count - 1) + 1) % all.count]
  }
}
