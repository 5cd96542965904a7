import Glibc
import Platform
import Testing

struct LocalTimeTests {
  /// At both ends of a summer.
  @Test(arguments: [-86_400, 0, 1_774_745_999, 1_774_746_000, 1_792_889_999, 1_792_890_000] as [Int64])
  func offset_isWhatTheCLibraryAddsToUTC(seconds: Int64) {
    LocalTime.renew()
    var time = time_t(seconds)
    var fields = tm()
    let isKnown = localtime_r(&time, &fields) != nil
    let local = timegm(&fields)
    #expect(isKnown && Int64(local) - seconds == LocalTime.offset(at: seconds))
  }
}
