/// Tells whether two clips show the same at all, from frames that were paired by what they show.
public enum ClipLikeness {
  /// Least likeness of clips that show the same.
  ///
  /// Measured on three films, 20 photographs under a moving camera and nine of FFmpeg's generators, 60 frames of each
  /// (`PictureDetail`, the most similar tenth of the pairs). Of 250 pairs of unrelated clips, half have less than 0.16
  /// and 99 of 100 less than 0.36; the only two above 0.4 are a test card and a photograph of a rocket. The same clips
  /// after x264 at CRF 51 have at least 0.71; graded (gamma 1.8 and contrast, an S-curve) 0.6, negative 1; cropped by a
  /// twentieth 0.69, by a tenth at least 0.54, and 0.64 in nine of ten.
  public static let least = 0.4

  /// Least likeness of a frame and the same frame graded or encoded again: a few such pairs mean a part in common,
  /// however short.
  static let same: Float = 0.9
  private static let fewestSame = 3

  /// Pairs to measure, evenly spread.
  private static let looked = 256

  /// 0 to 1; `nil` if the frames have no detail to tell by.
  static func measure(_ pairs: [(PictureSignature, PictureSignature)]) -> Double? {
    let step = max(1, (pairs.count + looked - 1) / looked)
    let chosen = stride(from: 0, to: pairs.count, by: step).map { pairs[$0] }
    var best = tenth(of: chosen.map { (PictureDetail($0.0), PictureDetail($0.1)) })
    // If the whole frames tell, there is no need to look for a crop.
    guard let found = best, Double(found) < least else { return best.map(Double.init) }
    for window in PictureDetail.Window.crops {
      let first = tenth(of: chosen.map { (PictureDetail($0.0, in: window), PictureDetail($0.1)) })
      let second = tenth(of: chosen.map { (PictureDetail($0.0), PictureDetail($0.1, in: window)) })
      best = [best, first, second].compactMap { $0 }.max()
    }
    return best.map(Double.init)
  }

  /// Least likeness in the most similar tenth of the pairs: clips may have only a part in common.
  private static func tenth(of pairs: [(PictureDetail, PictureDetail)]) -> Float? {
    let found = pairs.compactMap { $0.0.likeness(to: $0.1) }.sorted(by: >)
    guard !found.isEmpty else { return nil }
    let few = found[min(fewestSame, found.count) - 1]
    return few >= same ? few : found[found.count / 10]
  }
}
