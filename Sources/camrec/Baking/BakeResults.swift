import Foundation
import Frames

/// What became of the clips of a list, each of its inputs: clip, LUT, options and program. A clip and a film are known by their sizes and
/// the times of their last changes: hashing them would take about as long as reading them twice.
///
/// Thread: any.
struct BakeResults: Sendable {
  private let options: [String]
  private let results: ResultFolder<BakedClip>

  /// - Parameters:
  ///   - folder: is made where it is not there.
  ///   - words: what `camrec bake` is told of each clip.
  /// - Throws: code `output`.
  init(folder: String, words: BakeWords, lut: String?) throws(CamrecError) {
    let look = lut.map { (try? NamedFile.digest(path: $0, what: "LUT")) ?? "none" }
    options = words.arguments + [look ?? ""]
    results = try ResultFolder(folder)
  }

  var folder: String { results.path }
  var names: Set<String> { results.names }

  func leave(isWanted: Bool) { results.leave(isWanted: isWanted) }

  /// - Returns: `nil` where there is none of these inputs, or the film is not there any more, or another.
  func outcome(_ item: ClipList.Item) -> BakedClip? {
    guard let found = results.outcome(item.name, of: inputs(item)) else { return nil }
    return found.film == nil || found.film == FileState(item.film) ? found : nil
  }

  /// Writes nothing where the inputs are others than they were before the clip was baked.
  ///
  /// - Parameter before: its inputs then.
  /// - Throws: code `output`.
  func write(_ outcome: BakedClip, _ item: ClipList.Item, before: String) throws(CamrecError) {
    let now = inputs(item)
    guard now == before else { return }
    var outcome = outcome
    if outcome.isFilm { outcome.film = FileState(item.film) }
    try results.write(outcome, item.name, of: now)
  }

  /// What the bake of a clip is told, so that it writes its outcome here before the film has its name.
  func words(inputs: String) -> [String] {
    ["--outcome-folder=\(folder)", "--outcome-inputs=\(inputs)"]
  }

  /// As a bake does it that was told so.
  ///
  /// - Parameter film: where it lies still.
  static func write(
    _ outcome: BakedClip, film: String, name: String, folder: String, inputs: String
  ) throws(CamrecError) {
    var outcome = outcome
    outcome.film = FileState(film)
    try ResultFolder<BakedClip>(folder).write(outcome, name, of: inputs)
  }

  func remove(_ item: ClipList.Item) { results.remove(item.name) }

  func inputs(_ item: ClipList.Item) -> String {
    ResultFolder<BakedClip>.inputs(options + [item.clip, item.film, FileState(item.clip).text])
  }
}
