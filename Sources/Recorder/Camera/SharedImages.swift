import Cameras
import Frames

/// Gives one event to several consumers. Allocates only until every image that consumers keep at once has its place.
///
/// Thread: the camera's.
struct SharedImages {
  private var places: [SharedImage] = []

  /// Calls `take` for each consumer with an event of its own.
  mutating func give(
    _ event: consuming CameraEvent, to consumers: [any FrameConsumer],
    _ take: (any FrameConsumer, consuming CameraEvent) -> Void
  ) {
    switch consume event {
    case .frame(let frame):
      let facts = Facts(frame), shared = place()
      shared.hold(frame.takeImage())
      for consumer in consumers { take(consumer, .frame(facts.frame(shared.lend()))) }
      shared.letGo()
    case .damaged(let sequence, let captureTime):
      for consumer in consumers { take(consumer, .damaged(sequence: sequence, captureTime: captureTime)) }
    case .nothing: for consumer in consumers { take(consumer, .nothing) }
    case .ended(let end): for consumer in consumers { take(consumer, .ended(end)) }
    }
  }

  private mutating func place() -> SharedImage {
    if let free = places.first(where: \.isFree) { return free }
    let new = SharedImage()
    places.append(new)
    return new
  }

  /// What a frame carries besides its image.
  private struct Facts {
    let sequence: UInt64
    let captureTime: MonotonicTime
    let sourceTime: SourceTime?
    let exposure: ExposureRecord?
    let controls: ControlRecord?

    init(_ frame: borrowing CapturedFrame) {
      (sequence, captureTime, sourceTime) = (frame.sequence, frame.captureTime, frame.sourceTime)
      (exposure, controls) = (frame.exposure, frame.controls)
    }

    func frame(_ image: consuming CapturedImage) -> CapturedFrame {
      CapturedFrame(
        image: image, sequence: sequence, captureTime: captureTime, sourceTime: sourceTime, exposure: exposure,
        controls: controls)
    }
  }
}
