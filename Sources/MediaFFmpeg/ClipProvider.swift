package import Cameras
package import Frames

extension CameraKind {
  package static let clip = CameraKind("clip")
}

/// Clips, which play in real time like cameras: `clip:PATH`.
package struct ClipProvider: CameraProvider {
  package init() {}

  package var kind: CameraKind { .clip }
  package var traits: CameraTraits { CameraTraits(hasOwnSound: true, hasOwnMode: true) }
  package var noun: String { "a clip" }
  package var forms: [String] { ["clip:PATH"] }

  package func address(parsing text: String) -> CameraAddress? {
    guard let path = kind.place(in: text), !path.isEmpty else { return nil }
    return CameraAddress(.clip, path)
  }

  package func completions() -> [String] { ["clip:"] }
  package func file(of address: CameraAddress) -> String? { address.place }
  package func substitute(_ address: CameraAddress) -> String? { "the clip '\(address.place)'" }

  package func open(_ address: CameraAddress, _ order: CameraOrder) throws(CamrecError) -> OpenedCamera {
    let request = order.request
    guard request.width == nil, request.height == nil, request.frameRate == nil, request.pixelFormat == nil else {
      throw CamrecError(
        .usage, about: nil,
        "a clip has its own size, rate and pixel format; leave out \(setting: .size), \(setting: .fps) and "
          + "\(setting: .pixelFormat)", reason: .notOffered)
    }
    do throws(CamrecError) {
      let clip = try ClipCamera.open(
        path: address.place, paced: true, frames: order.frames, keepsFullChroma: order.keepsFullChroma)
      return try ClipProvider.opened(clip, path: address.place, paced: true, wantsSound: order.sound == .own)
    } catch {
      throw error.about(.camera)
    }
  }

  package func openControls(
    _ address: CameraAddress, keeping: ControlKeeping
  ) throws(CamrecError) -> any CameraControls {
    throw CamrecError(.usage, about: .camera, "a clip has no controls; give \(setting: .camera) /dev/videoN")
  }

  /// A clip with its audio.
  package static func opened(
    _ clip: ClipCamera, path: String, paced: Bool, wantsSound: Bool
  ) throws(CamrecError) -> OpenedCamera {
    var opened = OpenedCamera(clip, bringsSound: wantsSound, isPulled: !paced, hasTwoClocks: paced)
    if wantsSound, let sound = try ClipMicrophone.open(path: path, sharing: clip.clock) {
      opened.microphone = sound
      opened.language = sound.language
      if let sentence = sound.leftOut { opened.warnings.append(sentence) }
    }
    return opened
  }
}
