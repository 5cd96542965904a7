import Glibc

/// The local time that the names of films have: the C library's, which `strftime` writes. Any thread.
///
/// Foundation's `TimeZone.current` knows zones by their names alone. It takes a `TZ` such as `:Europe/Berlin`, a path,
/// or `CET-1CEST,M3.5.0,M10.5.0/3` for UTC.
package enum LocalTime {
  /// Seconds by which local time is ahead of UTC.
  ///
  /// - Parameter seconds: an instant, in Unix time.
  package static func offset(at seconds: Int64) -> Int64 {
    var time = time_t(seconds)
    var fields = tm()
    guard localtime_r(&time, &fields) != nil else { return 0 }
    // Not tm_gmtoff: in zones with leap seconds, the fields have those as well.
    return Int64(timegm(&fields)) - seconds
  }

  /// Looks whether the system's time zone is another one now. Names follow it, too.
  package static func renew() { tzset() }
}
