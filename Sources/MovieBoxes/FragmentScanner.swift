/// Walks through the boxes of a movie in fragments, from the beginning or behind what it has seen, and remembers what
/// its index has to say. Whatever a file holds, nothing traps.
///
/// Thread: one at a time.
public struct FragmentScanner: Sendable {
  /// `nil` until its header has been seen.
  public private(set) var movie: FragmentedMovie?
  /// Where the movie header lies in the file.
  public private(set) var headerOffset: UInt64 = 0
  /// Behind the last fragment that is whole: header and data.
  public private(set) var wholeEnd: UInt64 = 0
  /// Why it went no further; `nil` where the file ended with a whole box.
  public private(set) var damage: BoxDamage?

  private var position: UInt64 = 0
  private var fragment: (bytes: [UInt8], offset: UInt64)?

  /// A header is some thousand bytes, a fragment's some hundred a second: what is larger is damage.
  private static let largestHeader: UInt64 = 1 << 26
  static let passedOver: Set<BoxType> = [
    BoxType("ftyp"), BoxType("styp"), BoxType("free"), BoxType("skip"), BoxType("wide"), BoxType("sidx"),
    BoxType("mfra"), BoxType("uuid"), BoxType("prft"), BoxType("emsg"), BoxType("udta"), BoxType("meta"),
  ]

  public init() {}

  /// Goes on to `size`, the file's length now. A box that is not whole yet is looked at again by the next call.
  ///
  /// - Parameter read: the file's bytes from an offset on, as many as there are up to a count.
  /// - Throws: what `read` throws.
  public mutating func advance<E: Error>(
    to size: UInt64, read: (_ offset: UInt64, _ count: Int) throws(E) -> [UInt8]
  ) throws(E) {
    damage = nil
    while position < size {
      let head = try read(position, 16)
      guard let (type, length) = FragmentScanner.header(head, rest: size - position) else {
        return stop(BoxType(code: 0), "is no box")
      }
      guard length <= size - position else { return stop(type, "is cut off") }
      switch type {
      case .movie, .fragment:
        guard length <= FragmentScanner.largestHeader else { return stop(type, "is larger than any") }
        let bytes = try read(position, Int(length))
        guard bytes.count == Int(length) else { return stop(type, "is cut off") }
        guard take(type, bytes) else { return }
      case .data:
        guard complete(at: position + length) else { return }
      default:
        guard FragmentScanner.passedOver.contains(type) else { return stop(type, "is no box of a movie") }
      }
      position += length
    }
  }

  private mutating func stop(_ type: BoxType, _ reason: String) {
    damage = BoxDamage(type, at: Int(clamping: position), reason)
  }

  /// Type and length of the box.
  package static func header(_ bytes: [UInt8], rest: UInt64) -> (BoxType, UInt64)? {
    var reader = BoxReader(bytes[...], of: BoxType(code: 0))
    guard let short = try? reader.u32(), let type = (try? reader.u32()).map(BoxType.init(code:)), type.code != 0 else {
      return nil
    }
    switch short {
    case 0: return (type, rest)
    case 1:
      guard let long = try? reader.u64(), long >= 16 else { return nil }
      return (type, long)
    case 2..<8: return nil
    default: return (type, UInt64(short))
    }
  }

  /// A header; false where it is damaged.
  private mutating func take(_ type: BoxType, _ bytes: [UInt8]) -> Bool {
    guard type == .movie else {
      guard movie != nil else {
        stop(type, "comes before the movie's header")
        return false
      }
      fragment = (bytes, position)
      return true
    }
    guard movie == nil else {
      stop(type, "comes a second time")
      return false
    }
    do throws(BoxDamage) {
      movie = try FragmentedMovie(movie: bytes)
      headerOffset = position
      wholeEnd = position + UInt64(bytes.count)
      return true
    } catch {
      damage = error
      return false
    }
  }

  /// The data of a fragment is there, up to `end`.
  private mutating func complete(at end: UInt64) -> Bool {
    defer { fragment = nil }
    guard let fragment else {
      stop(.data, "belongs to no fragment")
      return false
    }
    do throws(BoxDamage) {
      try movie?.add(fragment: fragment.bytes, at: fragment.offset, limit: end)
      wholeEnd = end
      return true
    } catch {
      damage = error
      return false
    }
  }

  // MARK: The index

  /// Bytes that the index will have at most, and its header with it.
  public var indexBytes: Int64 { movie?.indexBytes ?? 0 }

  /// What turns the file into an ordinary one: an index behind `wholeEnd`, and then a box in the header's place that
  /// makes one piece of data of everything up to there.
  public struct Ending: Sendable {
    /// To be appended at `wholeEnd`.
    public let index: [UInt8]
    /// To be written over the beginning of the old header, at `headerOffset`, when the index is safe.
    public let cover: [UInt8]
  }

  /// What lies behind a damage is not in it.
  ///
  /// - Throws: where there is nothing to index, or an index does not hold it.
  public func ending(chapters: [MovieChapter] = []) throws(BoxDamage) -> Ending {
    guard let movie, movie.tracks.contains(where: { $0.samples.count > 0 }) else {
      throw BoxDamage(.movie, at: Int(clamping: headerOffset), "has no samples")
    }
    var cover = BoxBytes()
    // A size of 64 bits: 16 bytes, which the header has.
    cover.put(UInt32(1))
    cover.put(BoxType.data.code)
    cover.put(wholeEnd - headerOffset)
    return Ending(index: try MovieIndexBox(movie, chapters: chapters).bytes(), cover: cover.bytes)
  }
}
