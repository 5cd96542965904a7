import Assembly
import Foundation
package import Frames
import Platform
import Sidecar

/// The outcomes of a list's clips, each for its inputs: clip, its sidecar, LUT or look, options and program. Size and
/// time of the last change identify a clip, a sidecar and a film: hashing them would take about as long as reading them
/// twice.
///
/// Each set of inputs has a file of its own: a failure with other options leaves a film's outcome as it is.
///
/// Thread: any.
package struct BakeResults: Sendable {
  private let options: [String]
  private let results: ResultFolder<BakedClip>

  /// - Parameters:
  ///   - folder: created if missing.
  ///   - words: the options of each `camrec bake`.
  ///   - files: what each bake reads besides its clip.
  /// - Throws: code `output`.
  package init(folder: String, words: [String], files: [String]) throws(CamrecError) {
    options = words + files.map { (try? NamedFile.digest(path: $0, what: "file")) ?? "none" }
    results = try ResultFolder(folder)
  }

  package var folder: String { results.path }
  package var names: Set<String> { results.names }

  package func leave(isNamed: Bool, isComplete: Bool) { results.leave(isNamed: isNamed, isComplete: isComplete) }

  /// - Returns: `nil` if there is none for these inputs, or the film is gone or has changed.
  package func outcome(_ item: ClipList.Item) -> BakedClip? {
    let inputs = inputs(item)
    guard let found = results.outcome(BakeResults.name(item.film, inputs), of: inputs) else { return nil }
    return found.film == nil || found.film == FileState(item.film) ? found : nil
  }

  /// Whether the film is there as a bake of this clip has left it, from these or from other inputs. A partial film may
  /// have been recovered since.
  package func isOwn(_ item: ClipList.Item) -> Bool {
    guard item.isFilmThere else { return false }
    let film = FileState(item.film)
    return results.outcomes(beginning: BakeResults.beginning(item.film)).contains {
      $0.film == film || $0.partial?.content?.isKept(in: item.film) == true
    }
  }

  /// Writes nothing if the inputs have changed since the bake began.
  ///
  /// - Parameter before: the inputs before the bake.
  /// - Throws: code `output`.
  package func write(_ outcome: BakedClip, _ item: ClipList.Item, before: String) throws(CamrecError) {
    let now = inputs(item)
    guard now == before else { return }
    var outcome = outcome
    if outcome.isFilm { outcome.film = FileState(item.film) }
    try results.write(outcome, BakeResults.name(item.film, now), of: now)
  }

  /// Notes that the partial film of a clip is there as its bake has left it, so that the next run may replace it.
  ///
  /// - Throws: code `output`.
  package func keep(_ outcome: BakedClip, _ item: ClipList.Item) throws(CamrecError) {
    // If another program has taken the film's name meanwhile, the partial film has another one.
    guard outcome.partial?.path == item.film else { return }
    var outcome = outcome
    outcome.film = FileState(item.film)
    outcome.partial?.content = FileBeginning(item.film)
    try results.write(outcome, BakeResults.beginning(item.film) + "partial", of: "partial")
  }

  /// The options that make a bake write its outcome here before it names the film.
  package func words(inputs: String) -> [String] {
    ["--outcome-folder=\(folder)", "--outcome-inputs=\(inputs)"]
  }

  /// Writes the outcome from within such a bake.
  ///
  /// - Parameters:
  ///   - place: the film's path at present.
  ///   - film: its final name.
  package static func write(
    _ outcome: BakedClip, place: String, film: String, folder: String, inputs: String
  ) throws(CamrecError) {
    var outcome = outcome
    outcome.film = FileState(place)
    try ResultFolder<BakedClip>(folder).write(outcome, name(film, inputs), of: inputs)
  }

  package func remove(_ item: ClipList.Item) { results.remove(name(item)) }

  /// The name of the outcome for a clip's present inputs.
  package func name(_ item: ClipList.Item) -> String { BakeResults.name(item.film, inputs(item)) }

  private static func name(_ film: String, _ inputs: String) -> String { beginning(film) + inputs.prefix(12) }

  private static func beginning(_ film: String) -> String { "\(PathText(film).name)-" }

  package func inputs(_ item: ClipList.Item) -> String {
    let states = [item.clip, SidecarFile.path(ofFilm: item.clip)].map { FileState($0).text }
    return ResultFolder<BakedClip>.inputs(options + [item.clip, item.film] + states)
  }
}
