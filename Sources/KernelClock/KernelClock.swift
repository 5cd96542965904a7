import CClock

/// What the kernel says of the wall clock (adjtimex(2)). Any thread.
public enum KernelClock {
  /// Whether somebody keeps it synchronised, and microseconds that it may be wrong by, as he estimates; `nil` where the
  /// kernel does not say.
  public static var state: (isSynchronized: Bool, maximumError: Int)? {
    var error = 0
    let answer = CClock_state(&error)
    return answer < 0 ? nil : (answer == 1, error)
  }
}
