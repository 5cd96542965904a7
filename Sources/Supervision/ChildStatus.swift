/// What a recording's exit status means to its supervisor; `camrec --help` lists them.
enum ChildStatus {
  /// It ended because it was to: at its limit, at the end of a clip, by `camrec ctl quit`.
  static let finished: Set<Int32> = [0, 3]
  /// Its options cannot be used as they are: as a rule somebody has to edit them, but a camera that was replaced, or
  /// plugged into a slower port, says the same.
  static let refused: Int32 = 64
  static let lost: Int32 = 3
  static let failed: Int32 = 74
  static let defect: Int32 = 70

  /// Of an end by a signal: nobody but a defect, or the kernel when memory runs out, ends it so.
  static func status(of ending: ChildProcess.Ending) -> Int32 {
    switch ending {
    case .status(let status): status
    case .signal: defect
    }
  }
}
