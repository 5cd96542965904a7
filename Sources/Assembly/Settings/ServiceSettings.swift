/// What a recorder that runs unattended is started with.
package struct ServiceSettings: Hashable, Sendable, Codable {
  package var recording = RecordingSettings()
  package var triggers = TriggerSettings()
  package var hook = HookSettings()
  /// The path of the control socket, or `none`; `nil`: the usual place.
  package var control: String?
  /// The path of the monitor socket, or `none`; `nil`: beside the control socket.
  package var monitor: String?
  /// The group whose members may look; `nil`: that of the process.
  package var monitorGroup: String?
  /// The file for settings that are changed at run time; `nil`: they are not saved.
  package var settingsFile: String?
  /// The path of the state file, or `none`; `nil`: the usual place.
  package var state: String?
  /// The path of the metrics file; `nil`: none.
  package var metrics: String?

  package init(
    recording: RecordingSettings = RecordingSettings(), triggers: TriggerSettings = TriggerSettings(),
    hook: HookSettings = HookSettings(), control: String? = nil, monitor: String? = nil,
    monitorGroup: String? = nil, settingsFile: String? = nil, state: String? = nil,
    metrics: String? = nil
  ) {
    self.recording = recording
    self.triggers = triggers
    self.hook = hook
    self.control = control
    self.monitor = monitor
    self.monitorGroup = monitorGroup
    self.settingsFile = settingsFile
    self.state = state
    self.metrics = metrics
  }
}
