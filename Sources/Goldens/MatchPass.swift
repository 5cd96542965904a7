/// A reading of two clips from their beginnings, in which matched frames meet.
///
/// The frames in the same order lead: for each, the first clip is read up to it, then the second. Of the other matches,
/// the frame that is read first waits for the other.
public struct MatchPass: Hashable, Sendable {
  /// Rising in both clips.
  public let order: [FrameMatch]
  /// The others, rising in the first clip.
  public let strays: [FrameMatch]

  /// - Parameters:
  ///   - matches: rising in the first clip; no frame is in two of them.
  ///   - room: how many frames may wait at a time.
  /// - Returns: passes that have each match once, and few of them.
  public static func plan(_ matches: [FrameMatch], room: Int) -> [MatchPass] {
    var passes: [MatchPass] = []
    var rest = matches
    while !rest.isEmpty {
      let pass = MatchPass(rest, room: room)
      passes.append(pass)
      let done = Set(pass.order + pass.strays)
      rest.removeAll { done.contains($0) }
    }
    return passes
  }

  private init(_ matches: [FrameMatch], room: Int) {
    let order = FrameMatch.rising(matches)
    let inOrder = Set(order)
    /// How many of the frames in order lie before a position.
    func count(before place: Int, _ position: (FrameMatch) -> Int) -> Int {
      var low = 0, high = order.count
      while low < high {
        let middle = (low + high) / 2
        if position(order[middle]) < place { low = middle + 1 } else { high = middle }
      }
      return low
    }
    var readings: [(turn: Int, place: Int, match: FrameMatch)] = []
    for match in matches where !inOrder.contains(match) {
      readings.append((2 * count(before: match.first) { $0.first }, match.first, match))
      readings.append((2 * count(before: match.second) { $0.second } + 1, match.second, match))
    }
    readings.sort { ($0.turn, $0.place) < ($1.turn, $1.place) }
    var seen: Set<FrameMatch> = []
    var waiting: Set<FrameMatch> = []
    var chosen: [FrameMatch] = []
    for reading in readings {
      if !seen.insert(reading.match).inserted {
        waiting.remove(reading.match)
      } else if waiting.count < room {
        waiting.insert(reading.match)
        chosen.append(reading.match)
      }
    }
    self.order = order
    strays = chosen.sorted { $0.first < $1.first }
  }
}
