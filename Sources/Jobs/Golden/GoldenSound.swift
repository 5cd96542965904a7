import Assembly
import Audio
import Filters
import Foundation
package import Frames
package import Goldens
import MediaFFmpeg
import Platform

/// The audio of a case's film.
///
/// Thread: one at a time.
package struct GoldenSound {
  private let film: String
  /// The clip's frame that it begins with.
  private let from: Int
  /// Least difference in loudness to report, in LU: the tolerance that EBU Tech 3341 gives a meter.
  private static let audible = 0.1

  private let check: () throws(CamrecError) -> Void

  /// - Parameters:
  ///   - from: the clip's frame that the film begins with.
  ///   - check: throws to end the work.
  package init(film: String, from: Int, check: @escaping () throws(CamrecError) -> Void) {
    self.film = film
    self.from = from
    self.check = check
  }

  /// The hashes of the audio.
  ///
  /// - Parameter flashes: their times in seconds from the first frame, rising.
  /// - Throws: code `input` if the film has no audio, or it cannot be read completely.
  package func hashes(flashes: [Double]) throws(CamrecError) -> SoundHashes {
    let (clip, microphone) = try open()
    var hashing = SoundHashing(microphone.format) { MD5.hash($0) }
    var tones = ToneSearch(microphone.format)
    // Optional: it only adds to the report of a difference.
    let meter = try? LoudnessMeter(microphone.format)
    let start = try read(microphone) { (bytes) throws(CamrecError) in
      hashing.update(bytes)
      tones.update(bytes)
      try meter?.add(bytes)
    }
    var hashes = hashing.finish()
    hashes.loudness = try meter?.integrated()
    let rate = Double(microphone.format.sampleRate)
    let pictures = Double(clip.firstTime.nanoseconds) / 1e9
    hashes.sync = SoundSync(flashes: flashes, tones: tones.beginnings.map { start + Double($0) / rate - pictures })
    return hashes
  }

  /// Its differences from the golden, for people.
  ///
  /// - Parameter scratch: a temporary file for the samples, to search them for a shift.
  package func differences(
    _ hashes: SoundHashes, from golden: SoundHashes, scratch: String
  ) throws(CamrecError) -> [String] {
    let sync = SoundSync.differences(hashes.sync, from: golden.sync)
    guard hashes.format != golden.format || hashes.layout != golden.layout || hashes.blocks != golden.blocks else {
      return sync
    }
    try write(to: scratch)
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    let file = try NamedFile.open(scratch, "sound")
    let bytesPerFrame = Int64(hashes.format.bytesPerFrame)
    let found = try SoundComparison(golden: golden, film: hashes, md5: MD5.hash) { (range) throws(CamrecError) in
      try check()
      let count = Int((range.upperBound - range.lowerBound) * bytesPerFrame)
      do throws(InputFile.ReadFailure) {
        return try file.bytes(at: UInt64(range.lowerBound * bytesPerFrame), count: count)
      } catch { throw NamedFile.unread(scratch, error) }
    }
    var sentences = found.differences.map { $0.sentence(golden: golden) } + sync
    if let wanted = golden.loudness, let got = hashes.loudness, abs(got - wanted) >= GoldenSound.audible {
      sentences.append(String(format: "the loudness is %.1f LUFS, not %.1f LUFS", got, wanted))
    }
    return sentences
  }

  /// Writes the samples alone, one after another.
  private func write(to path: String) throws(CamrecError) {
    let descriptor: Int32
    do throws(SystemCallError) {
      descriptor = try OpenFile.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
    } catch {
      throw CamrecError(.output, "'\(path)' cannot be created", cause: error.words)
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    defer { try? file.close() }
    try read(try open().microphone) { (bytes) throws(CamrecError) in
      do { try file.write(contentsOf: unsafe bytes.withUnsafeBytes { unsafe Data($0) }) } catch {
        throw CamrecError(.output, "'\(path)' cannot be written", cause: error.localizedDescription)
      }
    }
  }

  private func open() throws(CamrecError) -> (clip: ClipCamera, microphone: ClipMicrophone) {
    let clip = try ClipCamera.open(path: film, paced: false, frames: 1)
    guard let microphone = try ClipMicrophone.open(path: film, sharing: clip.clock) else {
      throw CamrecError(
        .input,
        from == 0
          ? "the clip has no audio; remove 'sound' from its stages"
          : "the clip has no audio from frame \(from) on; remove 'sound' from its stages, or begin earlier ('from')")
    }
    return (clip, microphone)
  }

  /// Reads the audio, with silence for gaps.
  ///
  /// - Returns: its beginning in seconds.
  @discardableResult private func read(_ microphone: ClipMicrophone, _ take: (RawSpan) throws(CamrecError) -> Void)
    throws(CamrecError) -> Double
  {
    let format = microphone.format
    var buffer = AudioBuffer(format: format, capacity: max(1, format.sampleRate / 10))
    let silence = [UInt8](repeating: 0, count: buffer.capacity * format.bytesPerFrame)
    try microphone.start()
    defer { microphone.stop() }
    var start: MonotonicTime?
    while try microphone.read(into: &buffer) {
      try check()
      start = start ?? buffer.time
      var missing = buffer.lostBefore * format.bytesPerFrame
      while missing > 0 {
        let count = min(missing, silence.count)
        let zeros = unsafe silence.span.bytes.extracting(first: count)
        try take(zeros)
        missing -= count
      }
      let bytes = unsafe buffer.withBytes { unsafe Array($0) }
      try unsafe take(bytes.span.bytes)
    }
    guard microphone.endWarnings.isEmpty else {
      throw CamrecError(.input, "the film's audio cannot be read completely", cause: microphone.endWarnings.first)
    }
    return Double(start?.nanoseconds ?? 0) / 1e9
  }
}
