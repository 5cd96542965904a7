package import Color
package import Frames
package import Looks
import Synchronization

/// The tables that looks are baked by. The cases of a suite and the films of a recorder share those made last.
///
/// Thread: any. Two threads that need a new table at the same time both make it.
package enum LookTables {
  /// What a table depends on.
  private struct Key: Hashable {
    let table: String
    let exposure: Double
    let curve: ToneCurve
    let desaturation: Look.Desaturation
    let transfers: [TransferCharacteristic]
    let primaries: [ColorPrimaries]

    init(_ look: Look, _ input: ColorDescription, _ output: ColorDescription) {
      table = look.tableSHA256
      exposure = look.exposure
      curve = look.curve
      desaturation = look.desaturation
      transfers = [input.transfer, output.transfer]
      primaries = [input.primaries, output.primaries]
    }
  }

  private struct Entry: Sendable {
    let key: Key
    let table: LookupTable
  }

  /// Points per side.
  private static let size = 65
  /// Tables that are kept; each takes 9 MB.
  private static let most = 2
  private static let kept = Mutex<[Entry]>([])

  /// - Throws: code `usage` if the look cannot be applied to such colours, or cannot give them.
  package static func table(
    of look: Look, from input: ColorDescription, to output: ColorDescription
  ) throws(CamrecError) -> LookupTable {
    let key = Key(look, input, output)
    if let known = kept.withLock({ entries in entries.first { $0.key == key } }) { return known.table }
    let chain = try LookChain(look, from: input, to: output)
    let made = Entry(key: key, table: try LookTable(chain, title: look.title, size: size).table)
    kept.withLock { $0 = [made] + $0.prefix(most - 1) }
    return made.table
  }
}
