import CALSA

/// A microphone that ALSA knows.
public struct ALSADeviceInfo: Codable, Hashable, Sendable {
  /// The name for `--microphone`: `default`, `hw:CARD=Device,DEV=0`.
  public let name: String
  /// The card's and the device's own description.
  public let description: String

  public init(name: String, description: String) {
    self.name = name
    self.description = description
  }
}

public enum ALSADevices {
  /// All microphones: `default` if it can record, then the capture devices of the cards in their order.
  public static func list() -> [ALSADeviceInfo] {
    let hardware = hardwareDevices()
    guard (try? CapturePCM(name: "default")) != nil else { return hardware }
    return [ALSADeviceInfo(name: "default", description: "as chosen in the system's settings")] + hardware
  }

  private static func hardwareDevices() -> [ALSADeviceInfo] {
    CALSA_silence()
    var devices: [ALSADeviceInfo] = []
    var card: Int32 = -1
    while ALSACall.offers(snd_card_next(&card)), card >= 0 {
      var control: OpaquePointer?
      guard ALSACall.offers(snd_ctl_open(&control, "hw:\(card)", 0)), let control else { continue }
      defer { snd_ctl_close(control) }
      devices += captureDevices(of: control)
    }
    return devices
  }

  private static func captureDevices(of control: OpaquePointer) -> [ALSADeviceInfo] {
    var cardInfo: OpaquePointer?, pcmInfo: OpaquePointer?
    guard ALSACall.offers(snd_ctl_card_info_malloc(&cardInfo)) else { return [] }
    defer { snd_ctl_card_info_free(cardInfo) }
    guard ALSACall.offers(snd_pcm_info_malloc(&pcmInfo)) else { return [] }
    defer { snd_pcm_info_free(pcmInfo) }
    guard ALSACall.offers(snd_ctl_card_info(control, cardInfo)) else { return [] }
    let cardID = String(cString: snd_ctl_card_info_get_id(cardInfo))
    let cardName = String(cString: snd_ctl_card_info_get_name(cardInfo))
    var devices: [ALSADeviceInfo] = []
    var device: Int32 = -1
    while ALSACall.offers(snd_ctl_pcm_next_device(control, &device)), device >= 0 {
      snd_pcm_info_set_device(pcmInfo, UInt32(device))
      snd_pcm_info_set_subdevice(pcmInfo, 0)
      snd_pcm_info_set_stream(pcmInfo, SND_PCM_STREAM_CAPTURE)
      guard ALSACall.offers(snd_ctl_pcm_info(control, pcmInfo)) else { continue }
      let words = String(cString: snd_pcm_info_get_name(pcmInfo))
      devices.append(
        ALSADeviceInfo(name: "hw:CARD=\(cardID),DEV=\(device)", description: "\(cardName), \(words)"))
    }
    return devices
  }
}
