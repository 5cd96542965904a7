/// What a recording's exit status means to its supervisor; `camrec --help` lists them.
enum ChildStatus {
  /// It ended because it was to: at its limit, at the end of a clip, by `camrec ctl quit`.
  static let finished: Set<Int32> = [0, 3]
  /// Its options cannot be meant, or a file that it was given cannot be read: the next start would say the same.
  static let refused: Set<Int32> = [64, 65]
  static let lost: Int32 = 3
  static let defect: Int32 = 70

  /// Of an end by a signal: nobody but a defect, or the kernel when memory runs out, ends it so.
  static func status(of ending: ChildProcess.Ending) -> Int32 {
    switch ending {
    case .status(let status): status
    case .signal: defect
    }
  }
}
