import Foundation
import Frames

/// What became of the clips of a list, each of its inputs: clip, LUT, options and program. A clip and a film are known by their sizes and
/// the times of their last changes: hashing them would take about as long as reading them twice.
///
/// Outcomes of other inputs have files of their own: a refusal with other options leaves a film's outcome as it is.
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
    let inputs = inputs(item)
    guard let found = results.outcome(BakeResults.name(item.film, inputs), of: inputs) else { return nil }
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
    try results.write(outcome, BakeResults.name(item.film, now), of: now)
  }

  /// What the bake of a clip is told, so that it writes its outcome here before the film has its name.
  func words(inputs: String) -> [String] {
    ["--outcome-folder=\(folder)", "--outcome-inputs=\(inputs)"]
  }

  /// As a bake does it that was told so.
  ///
  /// - Parameters:
  ///   - place: where the film lies still.
  ///   - film: the name that it will have.
  static func write(
    _ outcome: BakedClip, place: String, film: String, folder: String, inputs: String
  ) throws(CamrecError) {
    var outcome = outcome
    outcome.film = FileState(place)
    try ResultFolder<BakedClip>(folder).write(outcome, name(film, inputs), of: inputs)
  }

  func remove(_ item: ClipList.Item) { results.remove(name(item)) }

  /// By which the outcome of a clip's present inputs is found.
  func name(_ item: ClipList.Item) -> String { BakeResults.name(item.film, inputs(item)) }

  private static func name(_ film: String, _ inputs: String) -> String { "\(PathText(film).name)-\(inputs.prefix(12))" }

  func inputs(_ item: ClipList.Item) -> String {
    ResultFolder<BakedClip>.inputs(options + [item.clip, item.film, FileState(item.clip).text])
  }
}
