import Foundation
package import Frames
package import Looks
import Platform

/// A look as the command line names it: by its name, or by the path of its file.
package struct LookChoice: Hashable, Sendable {
  package let path: String

  /// - Throws: code `usage` if there is no such look.
  package init(_ text: String) throws(CamrecError) { path = try LookChoice.folders.path(of: text) }

  /// - Throws: code `input` if its file or table is wrong.
  package func read() throws(CamrecError) -> LookFile { try LookFile(path: path) }

  /// Whether the text is the path of a look file, and not a name.
  package static func isFile(_ text: String) -> Bool { PathText(text).kind.lowercased() == "yaml" }

  package static var folders: LookFolders {
    let environment = ProcessInfo.processInfo.environment
    return LookFolders(
      environment: environment, home: HomeFolder.path(environment: environment),
      program: (try? CamrecProgram.path()) ?? "")
  }
}
