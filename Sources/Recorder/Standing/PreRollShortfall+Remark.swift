import Foundation
import Frames
package import Movies

extension PreRollShortfall {
  package var remark: SessionRemark {
    let remedy: Sentence =
      isMostMemory
      ? "record with a smaller \(setting: .size)" : "a longer pre-roll has more memory"
    let kept = String(format: "%.1f", seconds), whole = String(format: "%g", wanted)
    return SessionRemark(
      saying: "the memory of the pre-roll holds only about \(kept) of \(whole) s: the frames need more than expected; "
        + remedy, facts: ["seconds": kept], namesFilm: true)
  }
}
