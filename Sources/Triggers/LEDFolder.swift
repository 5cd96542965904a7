public import Frames
import Glibc

/// An LED as the kernel shows it: `brightness`, `max_brightness` and `trigger` in a folder of `/sys/class/leds`. What
/// was there before is put back, by the next one to take the light over where this one's process was killed
/// (`FoundFile`).
///
/// Thread: one at a time.
public final class LEDFolder {
  public let path: String
  private let level: Int
  private let found: Found
  private var file: FoundFile<Found>

  private struct Found: Codable {
    /// `nil` for an LED without.
    var trigger: String?
    var brightness: String
  }

  /// Takes the LED over, and switches it off.
  ///
  /// - Parameter folder: where what was found is kept until it is put back. One that cannot be written is no reason to
  ///   be without a light.
  /// - Throws: code `device`: there is none of this name, or it may not be switched.
  public init(path: String, percent: Int, folder: String) throws(CamrecError) {
    self.path = path
    guard let brightness = LEDFolder.read("\(path)/brightness") else {
      throw CamrecError(.device, "there is no light at '\(path)'; 'ls /sys/class/leds' names those of this machine")
    }
    let most = LEDFolder.read("\(path)/max_brightness").flatMap { Int($0) } ?? 1
    level = max(1, (most * percent + 50) / 100)
    // The one in brackets is in use.
    let trigger = LEDFolder.read("\(path)/trigger")?.split(separator: " ").first { $0.hasPrefix("[") }
    var file = FoundFile<Found>(
      folder: folder, identity: "led:\(path)", what: "the light's trigger and brightness")
    // The lock is another's while that one shines.
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

  /// As it was found.
  public func restore() {
    // A trigger that shines by itself has the last word.
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
      ? "; members of the group camrec may (Packaging/udev), or root" : ""
    return CamrecError(
      .device, "the light at '\(path)' cannot be switched\(remedy)", cause: SystemError.words(for: number))
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
