import Glibc

/// A setting that the kernel shows as a file with one line, as in `/sys`. Any thread.
public enum KernelFile {
  /// The first line, of up to 4096 bytes; `nil` if the file cannot be read.
  public static func read(_ path: String) -> String? {
    guard let file = try? OpenFile.open(path, O_RDONLY) else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let got = try? SystemCall.perform("read") {
      bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
    }
    guard let count = got else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
  }

  public static func write(_ text: String, to path: String) throws(SystemCallError) {
    let file = try OpenFile.open(path, O_WRONLY)
    defer { close(file) }
    try OpenFile.append(Array("\(text)\n".utf8), to: file)
  }
}
