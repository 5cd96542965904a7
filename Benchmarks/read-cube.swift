// Reads a .cube file again and again; prints the medians of wall and processor time in milliseconds.
//   Benchmarks/bench.py cube builds and runs it.
import Color
import Foundation
import Frames

@main struct ReadCube {
  private static func milliseconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  static func main() throws {
    let path = CommandLine.arguments[1], runs = Int(CommandLine.arguments[2]) ?? 31
    var wall: [Double] = [], processor: [Double] = []
    for _ in 0..<runs {
      let (wallStart, processorStart) = (milliseconds(CLOCK_MONOTONIC), milliseconds(CLOCK_PROCESS_CPUTIME_ID))
      _ = try LookupTable(readingFile: path)
      wall.append(milliseconds(CLOCK_MONOTONIC) - wallStart)
      processor.append(milliseconds(CLOCK_PROCESS_CPUTIME_ID) - processorStart)
    }
    print(wall.sorted()[runs / 2], processor.sorted()[runs / 2], wall.sorted()[0])
  }
}
