import Glibc

/// The one place where `errno` is read after a call into the kernel's video interface.
///
///     try V4L2Call.perform("VIDIOC_STREAMON") { cv4l2_streamon(fd, type) }
enum V4L2Call {
  /// Runs `call`, again when a signal interrupted it.
  ///
  /// - Returns: what the call returned, 0 or more.
  /// - Throws: what the kernel said. EBADF and EFAULT are defects of camrec and trap.
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

  /// For calls that say "nothing there now" by EAGAIN (a buffer) or ENOENT (an event): false then.
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

  /// For enumerations and optional features: false where the driver has no more, or does not have it.
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

  /// For calls that answer with an address, and none where they fail.
  static func unwrap(
    _ name: StaticString, _ call: () -> UnsafeMutableRawPointer?
  ) throws(V4L2CallError) -> UnsafeMutableRawPointer {
    guard let address = call() else { throw V4L2CallError(call: name, number: errno) }
    return address
  }
}
