import Foundation

/// File systems that lack something: a library that stands before the C library (`Tests/FaultyFiles`).
public enum FaultyFiles {
  /// `locks`, `noreplace` (renaming that replaces nothing), `links`.
  public static func environment(lacking calls: String...) throws -> [String: String] {
    let library = try CamrecBinary.find().url.deletingLastPathComponent().appendingPathComponent("libFaultyFiles.so")
    return ["LD_PRELOAD": library.path, "CAMREC_FAULTY_FILES": calls.joined(separator: ",")]
  }
}
