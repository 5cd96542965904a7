public import Audio
import CFilters
public import Frames

/// Integrated loudness after EBU R 128 (ITU-R BS.1770), measured with FFmpeg's `ebur128` filter.
///
/// Thread: one at a time. `@unchecked Sendable`: moved between threads, never shared.
public final class LoudnessMeter: @unchecked Sendable {
  private var handle: OpaquePointer?
  private let bytesPerFrame: Int

  /// - Throws: code `usage` if the filters are not installed.
  public init(_ format: AudioFormat) throws(CamrecError) {
    bytesPerFrame = format.bytesPerFrame
    do throws(FilterError) {
      try FilterError.check(
        cfl_loudness_open(&handle, Int32(format.sampleRate), Int32(format.channels), Int32(8 * format.sample.bytes)))
    } catch { throw error.told("loudness") }
  }

  deinit { cfl_loudness_close(handle) }

  /// - Parameter samples: whole sample frames in the meter's format, interleaved and little-endian.
  public func add(_ samples: RawSpan) throws(CamrecError) {
    let count = Int32(samples.byteCount / bytesPerFrame)
    guard count > 0 else { return }
    do throws(FilterError) {
      try FilterError.check(samples.withUnsafeBytes { cfl_loudness_add(handle, $0.baseAddress, count) })
    } catch { throw error.told("loudness") }
  }

  /// In LUFS; −70 if nothing was louder than the gate. Call once, at the end.
  public func integrated() throws(CamrecError) -> Double {
    var lufs = 0.0
    do throws(FilterError) { try FilterError.check(cfl_loudness_integrated(handle, &lufs)) } catch {
      throw error.told("loudness")
    }
    return lufs
  }
}
