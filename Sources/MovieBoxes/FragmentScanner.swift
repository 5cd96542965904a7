/// Walks through the boxes of a movie in fragments, from the beginning or from where it stopped, and remembers what the
/// index has to say. No file can make it trap, whatever it holds.
///
/// Thread: one at a time.
public struct FragmentScanner: Sendable {
  /// `nil` until its header has been seen.
  public private(set) var movie: FragmentedMovie?
  /// Where the movie header lies in the file.
  public private(set) var headerOffset: UInt64 = 0
  /// The end of the last fragment that is complete: header and data.
  public private(set) var wholeEnd: UInt64 = 0
  /// Why it went no further; `nil` if the file ended with a complete box.
  public private(set) var damage: BoxDamage?

  private var position: UInt64 = 0
  private var fragment: (bytes: [UInt8], offset: UInt64)?

  /// A movie header has a few thousand bytes, a fragment's a few hundred per second. Anything larger is damage.
  private static let largestHeader: UInt64 = 1 << 26
  static let passedOver: Set<BoxType> = [
    BoxType("ftyp"), BoxType("styp"), BoxType("free"), BoxType("skip"), BoxType("wide"), BoxType("sidx"),
    BoxType("mfra"), BoxType("uuid"), BoxType("prft"), BoxType("emsg"), BoxType("udta"), BoxType("meta"),
  ]

  public init() {}

  /// Goes on to `size`, the file's length now. The next call looks again at a box that is not complete yet.
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
        return stop(BoxType(code: 0), "is not a box")
      }
      guard length <= size - position else { return stop(type, "is cut off") }
      switch type {
      case .movie, .fragment:
        guard length <= FragmentScanner.largestHeader else { return stop(type, "is too large") }
        let bytes = try read(position, Int(length))
        guard bytes.count == Int(length) else { return stop(type, "is cut off") }
        guard take(type, bytes) else { return }
      case .data:
        guard complete(at: position + length) else { return }
      default:
        guard FragmentScanner.passedOver.contains(type) else { return stop(type, "is not a box of a movie") }
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

  /// Takes a header. Returns false if it is damaged.
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

  /// Takes a fragment whose data is there, up to `end`.
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

  /// Bytes that the index will have at most, including its header.
  public var indexBytes: Int64 { movie?.indexBytes ?? 0 }

  /// What turns the file into an ordinary one: an index after `wholeEnd`, and then a box in the header's place that
  /// makes everything up to there one piece of data.
  public struct Ending: Sendable {
    /// Append this at `wholeEnd`.
    public let index: [UInt8]
    /// Write this over the beginning of the old header, at `headerOffset`, once the index is safe.
    public let cover: [UInt8]
  }

  /// What comes after damage is not included.
  ///
  /// - Throws: if there is nothing to index, or if an index cannot hold it.
  public func ending(chapters: [MovieChapter] = []) throws(BoxDamage) -> Ending {
    guard let movie, movie.tracks.contains(where: { $0.samples.count > 0 }) else {
      throw BoxDamage(.movie, at: Int(clamping: headerOffset), "has no samples")
    }
    var cover = BoxBytes()
    // A size of 64 bits takes 16 bytes, which the header has.
    cover.put(UInt32(1))
    cover.put(BoxType.data.code)
    cover.put(wholeEnd - headerOffset)
    return Ending(index: try MovieIndexBox(movie, chapters: chapters).bytes(), cover: cover.bytes)
  }
}
