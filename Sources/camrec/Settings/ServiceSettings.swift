/// What a recorder that runs unattended is started with.
struct ServiceSettings: Hashable, Sendable, Codable {
  var recording = RecordingSettings()
  var triggers = TriggerSettings()
  var hook = HookSettings()
  /// The path of the control socket, or `none`; `nil`: the usual place.
  var control: String?
  /// The file for settings that are changed at run time; `nil`: they are not saved.
  var settingsFile: String?
  /// The path of the state file, or `none`; `nil`: the usual place.
  var state: String?
  /// The path of the metrics file; `nil`: none.
  var metrics: String?
}
