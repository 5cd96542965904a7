import Foundation
package import Frames
import Platform
import Retention
import SectionFile

/// The program that runs for each finished film.
package struct HookSettings: Hashable, Sendable, Codable {
  /// The program and its arguments, `{}` for the film; empty: no hook.
  package var words: [String] = []
  /// For one film; `nil`: an hour.
  package var timeout: TimeSpan?
  /// Failed runs for one film before the recorder gives up on it.
  package var tries = 30
  /// At the recorder's end; `nil`: as `wait` says.
  package var wait: TimeSpan?

  package init(words: [String] = [], timeout: TimeSpan? = nil, tries: Int = 30, wait: TimeSpan? = nil) {
    self.words = words
    self.timeout = timeout
    self.tries = tries
    self.wait = wait
  }

  /// - Throws: code `input` for a program that is missing, or that others can write to.
  package func hook() throws(CamrecError) -> HookRunning.Hook? {
    guard let name = words.first else { return nil }
    let program = try HookSettings.program(name)
    if let trouble = TrustedFile.trouble(path: program) {
      throw CamrecError(.input, about: .hook, "\(setting: .hook): \(trouble)")
    }
    var all = [program] + words.dropFirst()
    if !all.dropFirst().contains(where: { $0.contains("{}") }) { all.append("{}") }
    return HookRunning.Hook(
      words: all, timeout: timeout?.seconds.doubleValue ?? 3600, policy: .init(mostTries: tries))
  }

  /// How long to wait for the hook at the end, in seconds. A rig usually restarts a recording that ends by itself; if
  /// it ended for lack of space, the hook may free some.
  package func wait(isOfRig: Bool, wasToStop: Bool) -> Double {
    max(0, wait?.seconds.doubleValue ?? (isOfRig ? (wasToStop ? 0 : 600) : 30))
  }

  /// The path of the program, found as a shell would find it.
  private static func program(_ name: String) throws(CamrecError) -> String {
    let places: [String] =
      if name.contains("/") {
        [PathText(name).absolute]
      } else {
        (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map {
          "\($0)/\(name)"
        }
      }
    guard let program = places.first(where: { isProgram($0) }) else {
      throw CamrecError(
        .input, about: .hook,
        name.contains("/")
          ? "\(setting: .hook): '\(name)' is not a program; give the path of an executable file"
          : "\(setting: .hook): there is no program '\(name)' in PATH; give its path")
    }
    return program
  }

  private static func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
      && FileManager.default.isExecutableFile(atPath: path)
  }
}
