/// What a recording's exit status means to its supervisor; `camrec --help` lists them.
enum ChildStatus {
  /// It ended as intended: at its limit, at the end of a clip, or by `camrec ctl quit`.
  static let finished: Set<Int32> = [0, 3]
  /// Its options cannot be used. Usually somebody must edit them, but a camera that was replaced or plugged into a
  /// slower port causes the same status.
  static let refused: Int32 = 64
  static let lost: Int32 = 3
  static let failed: Int32 = 74
  static let defect: Int32 = 70
}
