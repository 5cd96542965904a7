import Foundation
import Frames
import Platform

/// A USB sound card that is recognised when it comes back under another name: by vendor, product and serial number, or
/// without a serial number by its port.
package struct SoundCard: Hashable {
  private let card: USBDevice

  /// The card of an ALSA device that names one (`hw:CARD=Webcam,DEV=0`); `nil` for other devices and for cards that are
  /// not on USB.
  package init?(ofDevice device: String, sound: String = "/proc/asound", system: String = "/sys") {
    guard let name = SoundCard.cardName(in: device) else { return nil }
    // The name is a link to the card's folder.
    let folder = PathText(PathText("\(sound)/\(name)").resolved).name
    self.init(folder: folder, system: system)
  }

  private init?(folder: String, system: String) {
    guard let card = USBDevice(function: "\(system)/class/sound/\(folder)/device") else { return nil }
    self.card = card
  }

  /// The present name of a device of this card; `nil` while the card is not connected. Of several cards with the same
  /// serial number, it is the one in the same port.
  package func device(of name: String, sound: String = "/proc/asound", system: String = "/sys") -> String? {
    let folders = ((try? FileManager.default.contentsOfDirectory(atPath: sound)) ?? []).filter {
      $0.hasPrefix("card") && Int($0.dropFirst(4)) != nil
    }
    let found = folders.compactMap { folder in SoundCard(folder: folder, system: system).map { (folder, $0) } }
      .filter { isKnown(as: $0.1) }
    guard let (folder, _) = found.first(where: { $0.1.card.port == card.port }) ?? (found.count == 1 ? found[0] : nil),
      let old = SoundCard.cardName(in: name),
      let now = USBDevice.text("\(sound)/\(folder)", "id")
    else { return nil }
    return name.replacing("CARD=\(old)", with: "CARD=\(now)")
  }

  private func isKnown(as other: SoundCard) -> Bool {
    card.vendor == other.card.vendor && card.product == other.card.product && card.serial == other.card.serial
      && (card.serial != nil || card.port == other.card.port)
  }

  private static func cardName(in device: String) -> String? {
    guard let start = device.range(of: "CARD=")?.upperBound else { return nil }
    return String(device[start...].prefix { $0 != "," })
  }
}
