import Color
import Looks

/// The contents of a look, for programs; the help of `camrec look info` says what the fields mean.
struct LookReport: Encodable {
  struct Table: Encodable {
    let path: String
    let size: Int
    let minimum: Double
    let maximum: Double
    let sha256: String
  }

  struct Desaturation: Encodable {
    let from: Double
    let to: Double
    let amount: Double
  }

  struct Grain: Encodable {
    let intensity: Double
    let size: String
  }

  struct Derivation: Encodable {
    let command: String
    let sources: [String]
  }

  let format = "camrec-look-info"
  let version = 1
  let name: String
  let lookVersion: Int
  let title: String
  let path: String
  let exposure: Double
  let curve: [[Double]]
  let table: Table
  let desaturation: Desaturation
  let grain: Grain
  let derivation: Derivation

  init(_ file: LookFile) {
    let look = file.look, samples = look.table.samples
    (name, lookVersion, title, path) = (look.name, look.version, look.title, file.path)
    exposure = look.exposure
    curve = look.curve.points.map { [$0.x, $0.y] }
    table = Table(
      path: file.tablePath, size: look.table.size, minimum: Double(samples.min() ?? 0),
      maximum: Double(samples.max() ?? 0), sha256: look.tableSHA256)
    desaturation = Desaturation(
      from: look.desaturation.from, to: look.desaturation.to, amount: look.desaturation.amount)
    grain = Grain(intensity: look.grain.intensity, size: LookDescription.size(of: look.grain))
    derivation = Derivation(command: look.derivation.command, sources: look.derivation.sources)
  }
}
