/// What a look may be called.
public enum LookName {
  public static let rule = "a look's name has 1 to 64 lower-case letters a to z, digits and hyphens"

  public static func isValid(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
  }
}
