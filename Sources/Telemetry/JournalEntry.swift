import Foundation

/// An entry in the journal's native protocol: a datagram of fields, as in systemd's `JOURNAL_NATIVE_PROTOCOL.md`, which
/// is declared stable.
///
/// A value without a line feed is written `KEY=value\n`. A value with one is written `KEY\n`, then its length as a
/// little-endian 64-bit number, the value and `\n`.
public enum JournalEntry {
  /// The longest name of a field, in bytes: systemd's `journal_field_valid`.
  private static let longestName = 64
  /// Starts the names of camrec's fields, so that none clashes with one of the journal's own.
  private static let prefix = "CAMREC_"

  /// `MESSAGE`, `PRIORITY`, `SYSLOG_IDENTIFIER`, and `CAMREC_FILM` for the field `film`. Two fields that get the same
  /// name become one field with two values, which the journal accepts.
  public static func datagram(_ entry: LogEntry) -> [UInt8] {
    var bytes: [UInt8] = []
    append("MESSAGE", entry.message, to: &bytes)
    append("PRIORITY", String(entry.priority), to: &bytes)
    append("SYSLOG_IDENTIFIER", "camrec", to: &bytes)
    for (name, value) in entry.fields.sorted(by: { $0.key < $1.key }) {
      append(field(name), value, to: &bytes)
    }
    return bytes
  }

  /// Capital letters, digits and underscores, as the journal requires: `exit-status` becomes `CAMREC_EXIT_STATUS`.
  static func field(_ name: String) -> String {
    let letters = name.uppercased().utf8.map { byte -> UInt8 in
      let isPlain = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      return isPlain ? byte : UInt8(ascii: "_")
    }
    return String(decoding: (prefix.utf8 + letters).prefix(longestName), as: UTF8.self)
  }

  private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
    bytes += name.utf8
    if value.utf8.contains(UInt8(ascii: "\n")) {
      bytes.append(UInt8(ascii: "\n"))
      let count = UInt64(value.utf8.count)
      for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: count >> UInt64(shift))) }
    } else {
      bytes.append(UInt8(ascii: "="))
    }
    bytes += value.utf8
    bytes.append(UInt8(ascii: "\n"))
  }
}
