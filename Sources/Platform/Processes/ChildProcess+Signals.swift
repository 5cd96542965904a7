import Glibc

extension ChildProcess {
  /// Asks a program to end.
  public static let endSignal: Int32 = SIGTERM
  /// Ends a program, whatever it is at.
  public static let killSignal: Int32 = SIGKILL

  /// Has the kernel keep the endings of this process's children until they are read. This process may have inherited
  /// that SIGCHLD is ignored: they would then be lost.
  public static func keepEndings() { _ = signal(SIGCHLD, SIG_DFL) }
}
