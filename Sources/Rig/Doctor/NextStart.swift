package import Assembly
package import Doctor
import Frames

/// What a recorder of a rig starts with next: a camera, rate, size or pixel format that was set at run time wins over
/// the rig file's.
package struct NextStart {
  package let settings: ServiceSettings
  /// `nil` if the recorder starts as the file says.
  package let finding: DoctorFinding?

  /// - Parameters:
  ///   - told: as the file says.
  ///   - name: the camera's name in the rig.
  package init(_ told: ServiceSettings, name: String?) {
    var next = told, finding: DoctorFinding?
    if let path = told.settingsFile {
      let memory = KeptSettings(path: path, told.recording)
      do throws(CamrecError) {
        let (source, saved) = try memory.nextSource(told.recording.source, among: .standard)
        next.recording.source = source
        if !saved.isEmpty {
          let list = saved.joined(separator: ", ")
          finding = DoctorFinding(
            NextStart.check, .ok, "settings made at run time win at the next start, and are checked here: \(list)")
        }
      } catch {
        // What is wrong with the settings file itself is said with the rig file's mistakes.
        if (try? memory.entries()) != nil { finding = NextStart.refusal(error, name) }
      }
    }
    settings = next
    self.finding = finding
  }

  private static let check = "kept settings"

  private static func refusal(_ error: CamrecError, _ name: String?) -> DoctorFinding {
    let recorder = name.map { "camrec ctl --name \($0)" } ?? "camrec ctl"
    let forget: Sentence = "run '\(recorder) forget' while the rig runs"
    return DoctorFinding(
      check, .warning,
      "the saved camera settings cannot be restored, so the file's are used at the next start and checked here: "
        + error.description,
      // No camera is ever ready for an invalid value, but another one may have the mode that this one lacks.
      remedy: error.code == .usage && error.reason != .notOffered
        ? forget : "make the camera ready, or \(sentence: forget)")
  }
}
