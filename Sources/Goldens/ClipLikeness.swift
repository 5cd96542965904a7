/// Whether two clips show the same at all, told from pictures that were paired by what they show.
public enum ClipLikeness {
  /// What clips that show the same have at least.
  ///
  /// Measured on three films, 20 photographs under a moving camera and nine of FFmpeg's generators, 60 pictures of each
  /// (`PictureDetail`, the tenth of the pairs that is most alike). Of 250 pairs of clips that have nothing to do with
  /// each other half have less than 0.16 and 99 of 100 less than 0.36; the only two above 0.4 are a test card beside a
  /// photograph of a rocket. The same clips behind x264 at CRF 51 have 0.71 at least; graded (gamma 1.8 and contrast,
  /// an S-curve) 0.6, negative 1; cropped by a twentieth 0.69, by a tenth 0.54 at least and 0.64 in nine of ten.
  public static let least = 0.4

  /// What pictures have that are one and the same, graded or encoded again: a few such pairs are a part in common,
  /// however short.
  static let same: Float = 0.9
  private static let fewestSame = 3

  /// Pairs that are looked at, evenly spread.
  private static let looked = 256

  /// 0 to 1; `nil` where the pictures show nothing by which it could be told.
  static func measure(_ pairs: [(PictureSignature, PictureSignature)]) -> Double? {
    let step = max(1, (pairs.count + looked - 1) / looked)
    let chosen = stride(from: 0, to: pairs.count, by: step).map { pairs[$0] }
    var best = tenth(of: chosen.map { (PictureDetail($0.0), PictureDetail($0.1)) })
    // Where the whole pictures tell, nobody has to look for a crop.
    guard let found = best, Double(found) < least else { return best.map(Double.init) }
    for window in PictureDetail.Window.crops {
      let first = tenth(of: chosen.map { (PictureDetail($0.0, in: window), PictureDetail($0.1)) })
      let second = tenth(of: chosen.map { (PictureDetail($0.0), PictureDetail($0.1, in: window)) })
      best = [best, first, second].compactMap { $0 }.max()
    }
    return best.map(Double.init)
  }

  /// What the tenth of the pairs that is most alike has at least: clips may have a part in common.
  private static func tenth(of pairs: [(PictureDetail, PictureDetail)]) -> Float? {
    let found = pairs.compactMap { $0.0.likeness(to: $0.1) }.sorted(by: >)
    guard !found.isEmpty else { return nil }
    let few = found[min(fewestSame, found.count) - 1]
    return few >= same ? few : found[found.count / 10]
  }
}
