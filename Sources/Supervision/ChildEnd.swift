public import Platform

/// How a recording's process ended.
public struct ChildEnd: Hashable, Sendable {
  let ending: ChildProcess.Ending
  /// Its event `ended`; `nil` if it told nothing of its end.
  private let farewell: ChildNews?

  public init(_ ending: ChildProcess.Ending, farewell: ChildNews?) {
    self.ending = ending
    self.farewell = farewell
  }

  /// An end by a signal counts as a defect: only a crash, or the kernel when memory runs out, causes it.
  private var exitStatus: Int32 {
    switch ending {
    case .status(let status): status
    case .signal: ChildStatus.defect
    }
  }

  /// That of the film with which it ended. Its exit status may be that of an earlier one.
  var status: Int32 {
    if case .status = ending, let status = farewell?.status { status } else { exitStatus }
  }

  public var isFailure: Bool { !ChildStatus.finished.contains(status) }

  /// Somebody asked for it, as with `camrec ctl quit`.
  var isAsked: Bool {
    if case .status = ending { farewell?.isAsked == true } else { false }
  }

  /// What it counts as at the end of a rig: a failure of an earlier film is a loss.
  var accountedStatus: Int32 { isFailure ? status : exitStatus == 0 ? 0 : ChildStatus.lost }

  var words: String {
    switch ending {
    case .status(let exit): isFailure && exit != status
        ? "its last film ended with status \(status)" : "it ended with status \(exit)"
    case .signal(let signal): "it was ended by signal \(signal)"
    }
  }
}
