import Doctor
import Foundation
import Frames
import InputDevices
import Triggers

/// Whether buttons and the recording light are there and may be used.
struct TriggerCheck: DoctorCheck {
  let options: TriggerOptions

  func findings() -> [DoctorFinding] {
    options.button.map(button) + (options.light.flatMap(light).map { [$0] } ?? [])
  }

  private func button(_ choice: ButtonChoice) -> DoctorFinding {
    do throws(CamrecError) {
      try ButtonListener.check(choice)
      return DoctorFinding("button", .ok, "the button \(choice) is there")
    } catch {
      return DoctorFinding(
        "button", .failure, error.description, remedy: "plug it in, or name another; it is looked for while camrec runs"
      )
    }
  }

  /// A camera's torch is tried when it shines.
  private func light(_ choice: LightChoice) -> DoctorFinding? {
    guard case .led(let folder) = choice.lamp else { return nil }
    guard FileManager.default.fileExists(atPath: folder + "/brightness") else {
      return DoctorFinding(
        "light", .warning, "there is no light at '\(folder)'",
        remedy: "'ls /sys/class/leds' names those of this machine")
    }
    // It is taken from its trigger, where it has one.
    let files = ["brightness", "trigger"].map { "\(folder)/\($0)" }.filter(FileManager.default.fileExists)
    guard files.allSatisfy(FileManager.default.isWritableFile) else {
      return DoctorFinding(
        "light", .warning, "the light at '\(folder)' may not be switched",
        remedy: "install the udev rule (scripts/install) and join its group: usermod -aG camrec USER")
    }
    return DoctorFinding("light", .ok, "the light at '\(folder)' is there")
  }
}
