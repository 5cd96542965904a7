package import Frames
import Synchronization

/// The name that a film has until it begins, and that the next one gets if it does not: another one, if a program has
/// taken the first.
///
/// Thread: any.
package final class FilmClaim: Sendable {
  private let names: FilmNames
  private let path = Mutex<String?>(nil)

  package init(_ names: FilmNames) { self.names = names }

  /// Nobody else gets this name.
  package func take(_ path: String) {
    names.claim(path)
    self.path.withLock { $0 = path }
  }

  /// As `FilmNames.another`: the next name, in place of the one so far.
  package func another(isFirst: Bool, at begin: MonotonicTime? = nil) throws(CamrecError) -> OutputPath? {
    let next = try names.another(isFirst: isFirst, at: begin)
    if let next { path.withLock { $0 = next.path } }
    return next
  }

  /// The film has no file, and never had a frame.
  package func giveBack() {
    let claimed = path.withLock { path in
      defer { path = nil }
      return path
    }
    if let claimed { names.givesBack(claimed) }
  }
}
