import Foundation
import Frames
package import Goldens
import Reporting

/// What to show of a stage that differs from its golden: the worst frames, and the quality of all.
package struct StageEvidence {
  /// A frame of the golden, and the one in its place.
  package struct Pair {
    /// Its time in seconds.
    package let seconds: Double
    /// A description.
    package let words: String
    /// `nil` if the golden is only a hash, or has no frame there.
    package let golden: PictureView?
    package let got: PictureView?
  }

  /// What to show, before its frames are collected.
  package struct Subject {
    package let stage: GoldenStage
    /// `nil` if nothing was measured.
    package let quality: ClipQuality?
    /// The film that it was measured against; `nil` if the golden is only hashes.
    package let film: String?
    /// The moments to show, in rising order.
    package let moments: [Moment]
  }

  /// The times of a frame and of its counterpart in the film, in seconds. They differ if frames are missing.
  package struct Moment {
    package let seconds: Double
    package let filmSeconds: Double
    /// A description.
    package let words: String

    package init(seconds: Double, filmSeconds: Double, words: String) {
      self.seconds = seconds
      self.filmSeconds = filmSeconds
      self.words = words
    }
  }

  package let subject: Subject
  package let pairs: [Pair]
}

extension StageEvidence.Subject {
  /// Number of frames shown of a stage, and how far apart they are where possible, in seconds.
  private static let shown = 4
  private static let distance = 0.5

  /// The frames that differ most, by ΔE2000 and then by PSNR.
  package init(_ stage: GoldenStage, _ quality: ClipQuality, against film: String) {
    let worst = quality.pictures.filter { $0.quality != .equal }.sorted {
      ($0.quality.deltaE, -$0.quality.psnr) > ($1.quality.deltaE, -$1.quality.psnr)
    }
    self.init(
      stage: stage, quality: quality, film: film,
      moments: Self.apart(worst, \.seconds).map { picture in
        StageEvidence.Moment(
          seconds: picture.seconds, filmSeconds: picture.otherSeconds,
          words: "the film's frame \(picture.number): \(picture.quality.words)")
      })
  }

  /// The frames whose hashes differ from the golden's.
  ///
  /// - Parameter changed: their numbers in the golden.
  package init(_ stage: GoldenStage, changed: [Int], of golden: FrameHashes) {
    self.init(
      stage: stage, quality: nil, film: nil,
      moments: Self.apart(changed.map { ($0, golden.seconds(of: $0)) }, \.1).map { number, seconds in
        StageEvidence.Moment(seconds: seconds, filmSeconds: seconds, words: "frame \(number)")
      })
  }

  /// The first few that are far enough apart, filled up with others.
  ///
  /// - Returns: them in order of time.
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
