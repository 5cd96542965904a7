import Foundation
import Frames
import Goldens

/// What there is to see of a stage whose pictures are not those of its golden: the worst, and how like all are.
struct StageEvidence {
  /// A picture of the golden's and what stands in its place.
  struct Pair {
    /// When it shows, in seconds.
    let seconds: Double
    /// What there is to say of it.
    let words: String
    /// `nil` where the golden is a hash and nothing else, or has no picture there.
    let golden: PictureView?
    let got: PictureView?
  }

  /// What it is of, before its pictures are looked for.
  struct Subject {
    let stage: GoldenStage
    /// `nil` where nothing was measured.
    let quality: ClipQuality?
    /// The film against which it was; `nil` where the golden is hashes and nothing else.
    let film: String?
    /// Those that are to be seen, in rising order.
    let moments: [Moment]
  }

  /// When a picture shows, and when that does which it belongs to in the film; in seconds. One may be missing between.
  struct Moment {
    let seconds: Double
    let filmSeconds: Double
    /// What there is to say of it.
    let words: String
  }

  let subject: Subject
  let pairs: [Pair]
}

extension StageEvidence.Subject {
  /// Pictures that are shown of a stage, and how far apart they are if there are others as bad, in seconds.
  private static let shown = 4
  private static let distance = 0.5

  /// The pictures that are least like, by ΔE2000 and then by PSNR.
  init(_ stage: GoldenStage, _ quality: ClipQuality, against film: String) {
    let worst = quality.pictures.filter { $0.quality != .equal }.sorted {
      ($0.quality.deltaE, -$0.quality.psnr) > ($1.quality.deltaE, -$1.quality.psnr)
    }
    self.init(
      stage: stage, quality: quality, film: film,
      moments: Self.apart(worst, \.seconds).map { picture in
        StageEvidence.Moment(
          seconds: picture.seconds, filmSeconds: picture.otherSeconds,
          words: "frame \(picture.number): \(picture.quality.words)")
      })
  }

  /// Pictures whose hashes are not the golden's.
  ///
  /// - Parameter changed: their numbers in the golden.
  init(_ stage: GoldenStage, changed: [Int], of golden: FrameHashes) {
    self.init(
      stage: stage, quality: nil, film: nil,
      moments: Self.apart(changed.map { ($0, golden.seconds(of: $0)) }, \.1).map { number, seconds in
        StageEvidence.Moment(seconds: seconds, filmSeconds: seconds, words: "frame \(number)")
      })
  }

  /// The first few that are not beside one another, filled up with those that are.
  ///
  /// - Returns: them by their times.
  private static func apart<Item>(_ items: [Item], _ seconds: (Item) -> Double) -> [Item] {
    var chosen: [Item] = []
    var rest: [Item] = []
    for item in items where chosen.count < shown {
      let isApart = chosen.allSatisfy { abs(seconds($0) - seconds(item)) >= distance }
      if isApart { chosen.append(item) } else if rest.count < shown { rest.append(item) }
    }
    return (chosen + rest.prefix(shown - chosen.count)).sorted { seconds($0) < seconds($1) }
  }
}

extension FrameQuality {
  fileprivate var words: String {
    "PSNR \(HumanText.fixed(psnr, 2)) dB, SSIM \(HumanText.fixed(ssim, 4)), ΔE2000 \(HumanText.fixed(deltaE, 2))"
  }
}
