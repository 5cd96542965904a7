
/// The recorders of this machine, by their state files. Thread: any.
public enum LivingRecorders {
  /// Whether one of them says that it is recording the file at `path`.
  public static func record(_ path: String) -> Bool {
    ControlPlace().files(suffix: StateFile.suffix).contains { file in
      (try? StateFile.read(path: file))?.isRecording(path) ?? false
    }
  }
}
