/// A metric with all its samples, as Prometheus defines it.
public struct MetricFamily: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable { case counter, gauge, histogram }

  /// One number, and the labels that identify it within the family.
  public struct Sample: Hashable, Sendable {
    /// Follows the family's name: `_bucket` of a histogram.
    public var suffix: String
    /// In the order in which they are written.
    public var labels: [Label]
    public var value: Double

    public init(suffix: String = "", _ labels: [Label], _ value: Double) {
      self.suffix = suffix
      self.labels = labels
      self.value = value
    }
  }

  public struct Label: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  public var name: String
  public var kind: Kind
  /// A sentence.
  public var help: String
  public var samples: [Sample]

  public init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
    self.name = name
    self.kind = kind
    self.help = help
    self.samples = samples
  }
}

extension MetricFamily {
  /// The text format 0.0.4, which node_exporter's textfile collector reads:
  /// https://prometheus.io/docs/instrumenting/exposition_formats/. Families without a sample are left out.
  public static func text(_ families: [MetricFamily]) -> String {
    families.filter { !$0.samples.isEmpty }.map(\.text).joined()
  }

  private var text: String {
    var lines = "# HELP \(name) \(help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n"))\n"
    lines += "# TYPE \(name) \(kind.rawValue)\n"
    for sample in samples {
      let labels = sample.labels.map { "\($0.name)=\"\(MetricFamily.escaped($0.value))\"" }.joined(separator: ",")
      lines += name + sample.suffix + (labels.isEmpty ? "" : "{\(labels)}") + " \(MetricFamily.number(sample.value))\n"
    }
    return lines
  }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }

  /// As Go's `ParseFloat` reads it; whole numbers without a fraction.
  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    return Int64(exactly: value).map(String.init) ?? value.description
  }
}
