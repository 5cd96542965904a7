import Frames
import RecorderAPI

/// A picture as it is made once for all who ask for it: a request, whatever its rate.
struct PictureVariant: Hashable, Sendable {
  let isGraded: Bool
  let width: Int
  let crop: MonitorCrop
  let quality: Int

  init(_ request: PictureRequest) {
    isGraded = request.isGraded
    width = request.width
    crop = request.crop
    quality = request.quality
  }

  /// `nil` for measures.
  init?(_ subscription: MonitorSubscription) {
    guard case .pictures(let request) = subscription.wish else { return nil }
    self.init(request)
  }
}

extension MonitorSubscription {
  /// What is made for it: the same for all of one kind.
  enum Kind: Hashable {
    case picture(PictureVariant)
    case measures(isGraded: Bool)
  }

  var kind: Kind {
    switch wish {
    case .pictures(let request): .picture(PictureVariant(request))
    case .measures(let request): .measures(isGraded: request.isGraded)
    }
  }
}

extension PictureMaker.Request {
  /// - Parameter changesColors: graded frames have other colours than captured ones.
  init(_ variant: PictureVariant, _ rotation: Rotation, changesColors: Bool) {
    self.init(
      crop: variant.crop, width: variant.width, rotation: rotation, isGraded: variant.isGraded && changesColors)
  }
}
