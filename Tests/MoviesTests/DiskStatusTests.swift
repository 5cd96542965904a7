import Movies
import RecorderAPI
import Testing

struct DiskStatusTests {
  @Test func callIsOfTheFirstClassThatHoldsIt() {
    var times = DurationHistogram()
    for seconds in [0, 0.001, 0.0011, 10, 10.5, .infinity] { times.add(seconds) }
    #expect(times.counts == [2, 1] + [Int](repeating: 0, count: 10) + [1, 2])
    #expect(times.counts.count == DurationHistogram.bounds.count + 1)
    #expect(times.count == 6)
  }

  @Test func finishedFilmAddsItsCountsAndNothingOfItsBuffer() {
    var disk = DiskStatus(), finished = DiskStatus()
    (disk.bytesWritten, disk.waitingBytes, disk.capacityBytes, disk.longestSynchronization) = (10, 3, 8, 0.2)
    (finished.bytesWritten, finished.bytesSynchronized, finished.synchronizations) = (100, 90, 4)
    (finished.waitingBytes, finished.stalledSeconds, finished.stalledCall) = (5, 7, .write)
    finished.longestSynchronization = 0.5
    finished.synchronizationTimes.add(0.5)
    disk.add(finished: finished)
    #expect(disk.bytesWritten == 110 && disk.bytesSynchronized == 90 && disk.synchronizations == 4)
    #expect(disk.longestSynchronization == 0.5 && disk.synchronizationTimes.count == 1)
    #expect(disk.waitingBytes == 3 && disk.capacityBytes == 8 && disk.stalledSeconds == 0 && disk.stalledCall == nil)
  }

  @Test func filmThatIsBeingFinishedHasItsBufferAndItsStall() {
    var disk = DiskStatus(), old = DiskStatus(), other = DiskStatus()
    (disk.bytesWritten, disk.waitingBytes, disk.capacityBytes) = (10, 3, 8)
    (old.bytesWritten, old.waitingBytes, old.capacityBytes, old.stalledSeconds, old.stalledCall) = (
      90, 4, 8, 7, .synchronize
    )
    (other.stalledSeconds, other.stalledCall) = (2, .write)
    disk.add(finishing: old)
    disk.add(finishing: other)
    #expect(disk.bytesWritten == 100 && disk.waitingBytes == 7 && disk.capacityBytes == 16)
    #expect(disk.stalledSeconds == 7 && disk.stalledCall == .synchronize)
  }
}
