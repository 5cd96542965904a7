import CPlatform

/// What the kernel reports about the wall clock (adjtimex(2)). Any thread.
public enum KernelClock {
  /// Whether the clock is kept synchronised, and its estimated maximum error in microseconds; `nil` if the kernel does
  /// not say.
  public static var state: (isSynchronized: Bool, maximumError: Int)? {
    var error = 0
    let answer = CClock_state(&error)
    return answer < 0 ? nil : (answer == 1, error)
  }
}
