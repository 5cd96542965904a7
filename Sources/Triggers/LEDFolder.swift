public import Frames
import Platform

/// An LED of the kernel: `brightness`, `max_brightness` and `trigger` in a folder of `/sys/class/leds`. Its previous
/// settings are restored at the end; if the process is killed, the next one that uses the light restores them
/// (`FoundFile`).
///
/// Thread: one at a time.
public final class LEDFolder {
  public let path: String
  private let level: Int
  private let found: Found
  private var file: FoundFile<Found>

  private struct Found: Codable {
    /// `nil` for an LED without a trigger.
    var trigger: String?
    var brightness: String
  }

  /// Takes over the LED and switches it off.
  ///
  /// - Parameter folder: keeps the previous settings until they are restored. The light works even if the folder cannot
  ///   be written.
  /// - Throws: code `device` if there is no such LED, or if this user may not switch it.
  public init(path: String, percent: Int, folder: String) throws(CamrecError) {
    self.path = path
    guard let brightness = KernelFile.read("\(path)/brightness") else {
      throw CamrecError(.device, "there is no light at '\(path)'; list this machine's lights with 'ls /sys/class/leds'")
    }
    let most = KernelFile.read("\(path)/max_brightness").flatMap { Int($0) } ?? 1
    level = max(1, (most * percent + 50) / 100)
    // The active trigger is in brackets.
    let trigger = KernelFile.read("\(path)/trigger")?.split(separator: " ").first { $0.hasPrefix("[") }
    var file = FoundFile<Found>(
      folder: folder, identity: "led:\(path)", what: "the light's trigger and brightness")
    // Another recorder that uses the light holds the lock.
    let isFree = (try? file.tryLock()) ?? false
    let left = isFree ? (try? file.read()) : nil
    found = left ?? Found(trigger: trigger.map { String($0.dropFirst().dropLast()) }, brightness: brightness)
    try? file.write(found)
    self.file = file
    if trigger != nil, trigger != "[none]" { try write("none", to: "trigger") }
    try set(false)
  }

  deinit { file.unlock() }

  /// - Throws: code `device`.
  public func set(_ isLit: Bool) throws(CamrecError) { try write(String(isLit ? level : 0), to: "brightness") }

  /// Restores the settings that were found.
  public func restore() {
    // The trigger comes last: it may set the brightness itself.
    _ = try? write(found.brightness, to: "brightness")
    if let trigger = found.trigger, trigger != "none" { _ = try? write(trigger, to: "trigger") }
    file.remove()
    file.unlock()
  }

  private func write(_ text: String, to name: String) throws(CamrecError) {
    do throws(SystemCallError) { try KernelFile.write(text, to: "\(path)/\(name)") } catch {
      let remedy = error.isForbidden ? "; only root and members of the group camrec may (Packaging/udev)" : ""
      throw CamrecError(.device, "cannot switch the light at '\(path)'\(remedy)", cause: error.words)
    }
  }
}
