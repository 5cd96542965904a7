import Frames

/// The numbers that the simulated camera has written into a clip's frames.
public enum FrameNumbers {
  /// Calculates the numbers that cannot be read, from that of the nearest frame before and the time between them. If
  /// another frame has that number, the nearest frame behind decides: the one before has moved.
  ///
  /// - Parameters:
  ///   - read: the frames' numbers; `nil`: it cannot be read.
  ///   - places: the frames' times, in frames.
  /// - Returns: a number for each frame; their places if none can be read.
  public static func complete(_ read: [Int64?], places: [Int64]) -> [Int64] {
    let known = Set(read.compactMap { $0 })
    var numbers = places
    /// What each frame's number would be, counted from the last one that could be read on the way.
    func counted(_ indices: some Sequence<Int>) -> [Int: Int64] {
      var counted: [Int: Int64] = [:]
      var last: (number: Int64, place: Int64)?
      for index in indices {
        if let number = read[index] {
          last = (number, places[index])
        } else if let last {
          counted[index] = last.number.addingSaturated(places[index].subtractingSaturated(last.place))
        }
      }
      return counted
    }
    let (before, behind) = (counted(read.indices), counted(read.indices.reversed()))
    for index in read.indices {
      if let number = read[index] {
        numbers[index] = number
      } else {
        let choices = [before[index], behind[index]].compactMap { $0 }
        numbers[index] = choices.first { !known.contains($0) } ?? choices.first ?? places[index]
      }
    }
    return numbers
  }
}
