import Color
package import Looks

/// The contents of a look, for programs; the help of `camrec look info` says what the fields mean.
package struct LookReport: Encodable {
  package struct Table: Encodable {
    package let path: String
    package let size: Int
    package let minimum: Double
    package let maximum: Double
    package let sha256: String
  }

  package struct Desaturation: Encodable {
    package let from: Double
    package let to: Double
    package let amount: Double
  }

  package struct Grain: Encodable {
    package let intensity: Double
    package let size: String
  }

  package struct Derivation: Encodable {
    package let command: String
    package let sources: [String]
  }

  package let format = "camrec-look-info"
  package let version = 1
  package let name: String
  package let lookVersion: Int
  package let title: String
  package let path: String
  package let exposure: Double
  package let curve: [[Double]]
  package let table: Table
  package let desaturation: Desaturation
  package let grain: Grain
  package let derivation: Derivation

  package init(_ file: LookFile) {
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
