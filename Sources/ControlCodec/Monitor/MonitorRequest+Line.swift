public import Frames
public import RecorderAPI

/// A request as a line of JSON: `{"do":"pictures","rate":10,"subscription":1}`.
extension MonitorRequest {
  /// Its name in `"do"`.
  public enum Word: String, Hashable, Sendable, CaseIterable {
    case hello, pictures, measures, snapshot, end, used

    /// Besides `do` and `id`.
    var members: [String] {
      switch self {
      case .hello: ["version"]
      case .pictures: ["subscription", "graded", "width", "crop", "rate", "quality"]
      case .measures: ["subscription", "graded", "rate"]
      case .snapshot: ["subscription", "graded", "format", "width", "quality", "stale"]
      case .end: ["subscription"]
      case .used: ["subscription", "sequence"]
      }
    }
  }

  public var word: Word {
    switch self {
    case .hello: .hello
    case .pictures: .pictures
    case .measures: .measures
    case .snapshot: .snapshot
    case .end: .end
    case .used: .used
    }
  }

  /// - Parameter id: repeated in the answer.
  public func line(id: Int64? = nil) -> [UInt8] {
    var fields: [String: JSONValue] = ["do": .text(word.rawValue)]
    fields["id"] = id.map(JSONValue.integer)
    fields["subscription"] = subscription.map { .integer(Int64($0)) }
    switch self {
    case .hello(let version): fields["version"] = .integer(Int64(version))
    case .pictures(_, let request):
      fields["graded"] = .bool(request.isGraded)
      fields["width"] = .integer(Int64(request.width))
      let crop = request.crop
      if crop != .whole { fields["crop"] = .array([crop.x, crop.y, crop.width, crop.height].map(JSONValue.number)) }
      fields["rate"] = .number(request.rate)
      fields["quality"] = .integer(Int64(request.quality))
    case .measures(_, let request):
      fields["graded"] = .bool(request.isGraded)
      fields["rate"] = .number(request.rate)
    case .snapshot(_, let request):
      fields["graded"] = .bool(request.isGraded)
      fields["format"] = .text(request.format.rawValue)
      fields["width"] = request.width.map { .integer(Int64($0)) }
      if request.format == .jpeg { fields["quality"] = .integer(Int64(request.quality)) }
      if request.takesStale { fields["stale"] = .bool(true) }
    case .end: break
    case .used(_, let sequence): fields["sequence"] = .integer(Int64(clamping: sequence))
    }
    return ControlProtocol.line(fields)
  }

  /// - Parameter line: without its line feed.
  /// - Throws: code `usage`, with a sentence that names the mistake.
  public init(line: some Sequence<UInt8>) throws(CamrecError) {
    try self.init(fields: MonitorRequest.fields(ofLine: line))
  }

  /// The members of a request's line. A recorder reads them first, so that a refusal repeats `id` and `subscription`.
  ///
  /// - Throws: code `usage` if it is no object in JSON.
  public static func fields(ofLine line: some Sequence<UInt8>) throws(CamrecError) -> [String: JSONValue] {
    let text = String(decoding: Array(line), as: UTF8.self)
    do {
      return try ControlProtocol.read([String: JSONValue].self, from: text)
    } catch {
      throw CamrecError(
        .usage, "the request is no object in JSON; write one, as in {\"do\":\"pictures\",\"subscription\":1}",
        cause: String(text.prefix(200)))
    }
  }

  /// Which subscription a line is about, for the answer that refuses it.
  public static func subscription(in fields: [String: JSONValue]) -> UInt32? {
    if case .integer(let number)? = fields["subscription"] { UInt32(exactly: number) } else { nil }
  }

  /// - Parameter fields: the members of a request's line.
  /// - Throws: code `usage`, with a sentence that names the mistake.
  public init(fields: [String: JSONValue]) throws(CamrecError) {
    let reading = try MonitorFields(fields)
    switch reading.word {
    case .hello: self = .hello(version: try reading.integer("version", in: 1...Int64(Int32.max)).map { Int($0) } ?? 1)
    case .pictures:
      self = .pictures(
        subscription: try reading.subscription(),
        try PictureRequest(
          isGraded: try reading.flag("graded") ?? true,
          width: try reading.integer("width") ?? PictureRequest.defaultWidth,
          crop: try reading.crop() ?? .whole, rate: try reading.number("rate") ?? PictureRequest.defaultRate,
          quality: try reading.integer("quality") ?? PictureRequest.defaultQuality))
    case .measures:
      self = .measures(
        subscription: try reading.subscription(),
        try MeasuresRequest(
          isGraded: try reading.flag("graded") ?? true,
          rate: try reading.number("rate") ?? MeasuresRequest.defaultRate))
    case .snapshot:
      let format = try reading.format() ?? .jpeg
      if format != .jpeg, fields["quality"] != nil {
        throw CamrecError(.usage, "\"quality\" is for jpeg; remove it, or leave out \"format\"")
      }
      self = .snapshot(
        subscription: try reading.subscription(),
        try SnapshotRequest(
          isGraded: try reading.flag("graded") ?? true, format: format, width: try reading.integer("width"),
          quality: try reading.integer("quality") ?? SnapshotRequest.defaultQuality,
          takesStale: try reading.flag("stale") ?? false))
    case .end: self = .end(subscription: try reading.subscription())
    case .used:
      guard let sequence = try reading.integer("sequence", in: 1...Int64.max) else {
        throw CamrecError(.usage, "'used' needs a \"sequence\": that of the last message you have used")
      }
      self = .used(subscription: try reading.subscription(), sequence: UInt64(sequence))
    }
  }
}
