/// What the sections of a file may say, and how their settings become values: those of a command line, read by the same
/// parser, so that a file and a command line can never differ.
public struct SectionLanguage<Value> {
  public let schema: SectionSchema
  /// Reads `--key=value` words.
  public let read: ([String]) throws(ArgumentRefusal) -> Value

  public init(schema: SectionSchema, read: @escaping ([String]) throws(ArgumentRefusal) -> Value) {
    self.schema = schema
    self.read = read
  }
}
