import Glibc

/// The one place where `errno` is read after a call into the kernel's video interface.
///
///     try V4L2Call.perform("VIDIOC_STREAMON") { cv4l2_streamon(fd, type) }
enum V4L2Call {
  /// Runs `call`, and repeats it if a signal interrupted it.
  ///
  /// - Returns: the call's result, 0 or more.
  /// - Throws: the kernel's error. EBADF and EFAULT are defects of camrec and trap.
  @discardableResult @inline(__always)
  static func perform(_ name: StaticString, _ call: () -> Int32) throws(V4L2CallError) -> Int32 {
    while true {
      let result = call()
      if result >= 0 { return result }
      let number = errno
      if number == EINTR { continue }
      precondition(number != EBADF && number != EFAULT, "a camera's descriptor and memory are valid in its calls")
      throw V4L2CallError(call: name, number: number)
    }
  }

  /// For calls that say "nothing now" with EAGAIN (a buffer) or ENOENT (an event): returns false then.
  @inline(__always)
  static func poll(_ name: StaticString, _ call: () -> Int32) throws(V4L2CallError) -> Bool {
    do throws(V4L2CallError) {
      try perform(name, call)
      return true
    } catch {
      if error.number == EAGAIN || error.number == ENOENT { return false }
      throw error
    }
  }

  /// For enumerations and optional features: false if the driver has no more entries, or lacks the feature.
  @inline(__always)
  static func offers(_ name: StaticString, _ call: () -> Int32) throws(V4L2CallError) -> Bool {
    do throws(V4L2CallError) {
      try perform(name, call)
      return true
    } catch {
      switch error.number {
      case EINVAL, ENOTTY, ENODATA, ENOSYS: return false
      default: throw error
      }
    }
  }

  /// For calls that return an address, or a null pointer if they fail.
  static func unwrap(
    _ name: StaticString, _ call: () -> UnsafeMutableRawPointer?
  ) throws(V4L2CallError) -> UnsafeMutableRawPointer {
    guard let address = call() else { throw V4L2CallError(call: name, number: errno) }
    return address
  }
}
