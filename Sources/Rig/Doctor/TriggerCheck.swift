package import Assembly
package import Doctor
import Foundation
import Frames
import Platform
import Triggers

/// Whether buttons and the recording light are present and may be used.
package struct TriggerCheck: DoctorCheck {
  package let settings: TriggerSettings

  package init(settings: TriggerSettings) { self.settings = settings }

  package func findings() -> [DoctorFinding] {
    settings.buttons.map(button) + (settings.light.flatMap(light).map { [$0] } ?? [])
  }

  private func button(_ choice: ButtonChoice) -> DoctorFinding {
    do throws(CamrecError) {
      try ButtonListener.check(choice)
      return DoctorFinding("button", .ok, "the button \(choice) is there")
    } catch {
      return DoctorFinding(
        "button", .failure, error.description,
        remedy: "plug it in, or name another; camrec keeps looking for it while it runs")
    }
  }

  /// `nil` for a camera's torch, which is first tried when it lights.
  private func light(_ choice: LightChoice) -> DoctorFinding? {
    guard case .led(let folder) = choice.lamp else { return nil }
    guard FileManager.default.fileExists(atPath: folder + "/brightness") else {
      return DoctorFinding(
        "light", .warning, "there is no light at '\(folder)'",
        remedy: "name one of this machine's: ls /sys/class/leds")
    }
    // camrec detaches it from its trigger, if it has one.
    let files = ["brightness", "trigger"].map { "\(folder)/\($0)" }.filter(FileManager.default.fileExists)
    guard files.allSatisfy(FileManager.default.isWritableFile) else {
      return DoctorFinding(
        "light", .warning, "no permission to switch the light at '\(folder)'",
        remedy: "install the udev rule (scripts/install) and join its group: usermod -aG camrec USER")
    }
    return DoctorFinding("light", .ok, "the light at '\(folder)' is there")
  }
}
