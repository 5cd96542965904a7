/// What a crash left of a live .mov: its header, and every fragment before and after damage.
///
/// Where `FragmentScanner` stops, this one looks for the next fragment that fits: it is of the movie's tracks, its
/// samples are inside the file, and its number and times are later than those found so far, but no later than what is
/// missing allows. Each sample then gets the time that its fragment says (`tfdt`; ISO/IEC 14496-12, 8.8.12): a frame
/// before a gap stays until the next one, and silence replaces lost audio, so that both stay in step in every program.
/// If a fragment is cut off, or ends in zeros as file systems leave it when the power goes, the samples before that are
/// kept. In the last fragments and beside damage, zeros elsewhere and overwritten frames are lost, too, as far as the
/// bytes tell.
///
/// No file can make it trap, whatever it holds. Nothing but what was read is kept in memory, and each byte is read a
/// few times at most.
///
/// Thread: one at a time.
public struct MovieSalvage: Sendable {
  public enum Kind: Hashable, Sendable {
    /// It already has an index.
    case ordinary
    /// A header, and perhaps fragments.
    case fragments
    /// There is no header: nothing says what the bytes are.
    case headless
  }

  public internal(set) var kind = Kind.headless
  /// Bytes of the file.
  public let size: UInt64
  /// Where the movie header lies in the file.
  public internal(set) var headerOffset: UInt64 = 0
  /// Fragments of which something was kept.
  public internal(set) var fragments = 0
  /// Bytes that are not part of a movie: torn, overwritten, or zeros.
  public internal(set) var lostBytes: [Range<UInt64>] = []
  /// Frames that a fragment lists and whose bytes are not there, or are no frame's.
  public internal(set) var tornPictures = 0
  /// The end of the last fragment that is there.
  public internal(set) var wholeEnd: UInt64 = 0
  /// The end of all that the fragments' headers mention, torn data included. What is appended begins there; otherwise a
  /// second recovery, after one that was interrupted, would take it for their data.
  var claimedEnd: UInt64 = 0

  var movie: FragmentedMovie?
  /// Where the fragments so far end, by track, in the track's ticks.
  var clock: [UInt64] = []
  var lastSequence: UInt32 = 0
  /// The tracks of which a frame has its codec's mark.
  var marked: Set<Int> = []
  /// The last fragment, until what follows it tells whether it needs a closer look.
  var pending: Fragment?
  /// Whether nothing is missing between the last fragment, or the header, and the place reached.
  var isContiguous = true
  /// Where the zeros at the file's end begin.
  var zeros: UInt64
  /// Bytes that may still be read of what only looks like a fragment.
  private var budget: UInt64

  /// A fragment as its header describes it.
  struct Fragment: Sendable {
    /// With the times that they get.
    var runs: [SampleRun]
    var isSuspect: Bool
  }

  /// As in `FragmentScanner`; a fragment's own header has a few hundred bytes.
  static let largestHeader: UInt64 = 1 << 26, largestFragment: UInt64 = 1 << 24
  /// What the last seconds before a crash take: this much at the end is looked at sample by sample.
  static let lateBytes: UInt64 = 1 << 26
  static let block = 1 << 20

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - size: its length.
  ///   - read: its bytes from an offset on, as many as there are up to a count.
  /// - Throws: what `read` throws.
  public init<E: Error>(
    size: UInt64, read: (_ offset: UInt64, _ count: Int) throws(E) -> [UInt8]
  ) throws(E) {
    self.size = size
    zeros = size
    budget = size.addingReportingOverflow(MovieSalvage.lateBytes).partialValue
    var position: UInt64 = 0
    while position < size, kind != .ordinary {
      if let next = try step(from: position, read) {
        position = next
        continue
      }
      pending?.isSuspect = true
      isContiguous = false
      let found = try resume(behind: position, read)
      lostBytes.append(position..<(found?.at ?? size))
      position = found?.next ?? size
    }
    pending?.isSuspect = true
    if kind == .fragments { zeros = try beginOfZeros(read) }
    try settle(read)
  }

  /// Steps over one box.
  ///
  /// - Returns: where it ends; `nil` if it is not a box, or not completely there.
  private mutating func step<E: Error>(
    from position: UInt64, _ read: (UInt64, Int) throws(E) -> [UInt8]
  ) throws(E) -> UInt64? {
    let head = try read(position, 16)
    guard let (type, length) = MovieSalvage.header(head), type != .fragment || movie != nil else { return nil }
    if type == .fragment { return try take(fragmentAt: position, length, read) }
    guard length <= size - position else { return nil }
    let next = position + length
    switch type {
    case .movie where movie == nil:
      guard length <= MovieSalvage.largestHeader, budget >= length else { return nil }
      budget -= length
      let bytes = try read(position, Int(length))
      guard bytes.count == Int(length), take(header: bytes, at: position) else { return nil }
      return next
    case .data where movie != nil: return nil
    default:
      // A damaged size does not lead to a box.
      guard MovieSalvage.known.contains(type) else { return nil }
      guard next < size else { return next }
      guard let (type, _) = MovieSalvage.header(try read(next, 16)), MovieSalvage.known.contains(type) else {
        return nil
      }
      return next
    }
  }

  private static let known = FragmentScanner.passedOver.union([.movie, .fragment, .data])

  /// Type and length of a box; nobody writes a length of 0 here, which would reach to the end.
  static func header(_ bytes: [UInt8]) -> (type: BoxType, length: UInt64)? {
    guard bytes.count >= 8, bytes[0..<4] != [0, 0, 0, 0] else { return nil }
    return FragmentScanner.header(bytes, rest: 0)
  }

  private mutating func take(header bytes: [UInt8], at position: UInt64) -> Bool {
    do throws(BoxDamage) {
      let movie = try FragmentedMovie(movie: bytes)
      self.movie = movie
      kind = .fragments
      headerOffset = position
      wholeEnd = position + UInt64(bytes.count)
      clock = Array(repeating: 0, count: movie.tracks.count)
      isContiguous = true
      return true
    } catch {
      guard FragmentedMovie.isOrdinary(bytes) else { return false }
      kind = .ordinary
      return true
    }
  }

  // MARK: Behind damage

  /// Looks for the next header, or the next fragment that fits, and takes it.
  ///
  /// - Returns: where it lies, and where it ends.
  private mutating func resume<E: Error>(
    behind position: UInt64, _ read: (UInt64, Int) throws(E) -> [UInt8]
  ) throws(E) -> (at: UInt64, next: UInt64)? {
    let wanted = movie == nil ? BoxType.movie : .fragment
    let name = (0..<4).map { UInt8(truncatingIfNeeded: wanted.code >> (24 - 8 * UInt32($0))) }
    // A header lies at the beginning or nowhere.
    let end = movie == nil ? min(size, position.addingReportingOverflow(MovieSalvage.largestHeader).partialValue) : size
    var offset = position + 5
    while offset < end {
      let bytes = try read(offset, Int(min(UInt64(MovieSalvage.block), end - offset)))
      guard bytes.count >= 4 else { return nil }
      for index in 0...(bytes.count - 4)
      where bytes[index] == name[0] && bytes[index + 1] == name[1] && bytes[index + 2] == name[2]
        && bytes[index + 3] == name[3]
      {
        let candidate = offset + UInt64(index) - 4
        if let next = try step(from: candidate, read) { return (candidate, next) }
        guard budget > 0 else { return nil }
      }
      // The name may lie across two blocks.
      offset += UInt64(bytes.count - 3)
      if bytes.count < 8 { return nil }
    }
    return nil
  }

  /// Whether the budget allows reading something that may be a fragment.
  mutating func spend(_ bytes: UInt64) -> Bool {
    guard isContiguous || budget > bytes else {
      if !isContiguous { budget = 0 }
      return false
    }
    if !isContiguous { budget -= bytes }
    return true
  }
}

extension FragmentedMovie {
  /// Whether a `moov` box has tracks and knows no fragments.
  static func isOrdinary(_ movie: [UInt8]) -> Bool {
    var outer = BoxReader(movie[...], of: .movie)
    guard var reader = try? outer.box()?.reader, let boxes = try? reader.boxes() else { return false }
    return boxes.contains { $0.type == .track } && !boxes.contains { $0.type == .movieExtends }
  }
}
