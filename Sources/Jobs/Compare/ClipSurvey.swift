import Cameras
import Color
import Frames
import Goldens

/// What the frames of a clip are matched by, from one pass over it.
struct ClipSurvey {
  /// Each frame's time in seconds, from the first frame's.
  private(set) var seconds: [Double] = []
  /// The numbers that the simulated camera has written into the frames; `nil` where none can be read. Only for
  /// `number`.
  private(set) var numbers: [Int64?] = []
  /// Only for `content`.
  private(set) var signatures: [PictureSignature] = []

  /// - Throws: as `ClipPictures.next`.
  init(_ clip: ClipPictures, for way: ClipAlignment) throws(CamrecError) {
    var start: Int64?
    while let next = try clip.next() {
      let begin = start ?? next.time.ticks
      start = begin
      seconds.append(Double(next.time.ticks.subtractingSaturated(begin)) * clip.seconds)
      switch way {
      case .number:
        numbers.append(SimulatedMark(of: next.picture, luma: next.picture.packedLuma()).map { Int64($0.number) })
      case .content: signatures.append(PictureSignature(next.picture))
      case .auto, .timecode, .time, .frame: break
      }
    }
  }

  /// The frames' times in frames at a rate, from the first frame's.
  func times(at rate: FrameRate) -> [Double] { seconds.map { $0 * rate.framesPerSecond } }

  /// The same, each at the nearest frame.
  func places(at rate: FrameRate) -> [Int64] {
    times(at: rate).map { Int64(saturating: $0.rounded()) }
  }

  /// The same, beside a clip of that rate whose last frame is at place `last`: what shows while that one still does is
  /// there, too.
  ///
  /// - Parameter own: this clip's rate. As files round times, what decides is the middle between the last of its frames
  ///   that shows within that one and the next.
  func places(at rate: FrameRate, beside last: Int64, own: FrameRate) -> [Int64] {
    let end = Double(last) + 1 - rate.framesPerSecond / own.framesPerSecond / 2
    return times(at: rate).map { time in
      let place = Int64(saturating: time.rounded())
      return place > last && time < end ? last : place
    }
  }
}

extension PictureSignature {
  fileprivate init(_ picture: borrowing Frame) {
    let format = picture.format
    self.init(
      luma: picture.packedLuma(), width: format.width, height: format.height, isFullRange: format.color.range == .full)
  }
}
