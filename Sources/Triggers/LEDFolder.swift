public import Frames
import Glibc
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
    guard let brightness = LEDFolder.read("\(path)/brightness") else {
      throw CamrecError(.device, "there is no light at '\(path)'; list this machine's lights with 'ls /sys/class/leds'")
    }
    let most = LEDFolder.read("\(path)/max_brightness").flatMap { Int($0) } ?? 1
    level = max(1, (most * percent + 50) / 100)
    // The active trigger is in brackets.
    let trigger = LEDFolder.read("\(path)/trigger")?.split(separator: " ").first { $0.hasPrefix("[") }
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
    let file = "\(path)/\(name)"
    let descriptor = unsafe Glibc.open(file, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw refusal(errno) }
    defer { Glibc.close(descriptor) }
    let bytes = Array("\(text)\n".utf8)
    let written = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    guard written == bytes.count else { throw refusal(errno) }
  }

  private func refusal(_ number: Int32) -> CamrecError {
    let remedy =
      number == EACCES || number == EPERM
      ? "; only root and members of the group camrec may (Packaging/udev)" : ""
    return CamrecError(
      .device, "cannot switch the light at '\(path)'\(remedy)", cause: SystemError.words(for: number))
  }

  private static func read(_ path: String) -> String? {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { Glibc.close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
    guard count >= 0 else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
  }
}
