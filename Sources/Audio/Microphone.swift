public import Frames

/// A source of sound. Thread: `start`, `read` and `stop` on one thread at a time.
public protocol Microphone: AnyObject, Sendable {
  /// What to call it in messages.
  var name: String { get }
  var format: AudioFormat { get }
  /// True for a source that waits to be read (a clip that is baked), false for one that runs by itself.
  var isPulled: Bool { get }

  func start() throws(CamrecError)

  /// Fills `buffer` with the next audio frames, waiting at most about 100 ms; sets its count, time and losses.
  ///
  /// - Returns: false at the end of the sound. A count of 0 with true means that nothing came in time.
  /// - Throws: `CamrecError` of code `device` when the microphone is gone.
  func read(into buffer: inout AudioBuffer) throws(CamrecError) -> Bool

  func stop()

  /// Closes the device, looks for it, opens it in the same format and starts it: after a failure of `read`, or for one
  /// that delivers nothing any more.
  ///
  /// - Throws: code `device` while it is not there, or is another than before.
  func reopen() throws(CamrecError)
}

extension Microphone {
  /// A source that is no device does not come back.
  public func reopen() throws(CamrecError) { throw CamrecError(.device, "\(name) does not come back") }
}

/// Makes a microphone's stream last longer or shorter by parts per million, continuously, and converts its rate and
/// channels. Thread: one at a time.
public protocol AudioResampler: AnyObject, Sendable {
  var inputFormat: AudioFormat { get }
  var outputFormat: AudioFormat { get }

  /// Output audio frames that the input so far has become and that are still held inside.
  var heldFrames: Double { get }

  /// From now on `inputSeconds` of input become `inputSeconds · (1 + partsPerMillion · 10⁻⁶)` of output.
  func setStretch(partsPerMillion: Double) throws(CamrecError)

  /// Consumes all of `input` and replaces what is in `output` by as much as came of it; the rest is delivered by
  /// the next call. `output` needs room for 1.1 × the input at the output's rate + 64 audio frames.
  func resample(_ input: borrowing AudioBuffer, into output: inout AudioBuffer) throws(CamrecError)
}
