public import Frames

/// A source of sound. Thread: `start`, `read` and `stop` on one thread at a time.
public protocol Microphone: AnyObject, Sendable {
  /// The microphone's name for messages.
  var name: String { get }
  var format: AudioFormat { get }
  /// True for a source that waits to be read (a clip), false for one that runs by itself.
  var isPulled: Bool { get }

  func start() throws(CamrecError)

  /// Fills `buffer` with the next audio frames, waiting at most about 100 ms; sets its count, time and losses.
  ///
  /// - Returns: false at the end of the audio. True with a count of 0 means that nothing came in time, or that only
  ///   `lostBefore` counts: audio that is lost at the end.
  /// - Throws: `CamrecError` of code `device` when the microphone is gone.
  func read(into buffer: inout AudioBuffer) throws(CamrecError) -> Bool

  func stop()

  /// Closes the device, finds it again, opens it in the same format and starts it: after `read` has failed, or when it
  /// no longer delivers.
  ///
  /// - Throws: code `device` while it is missing, or if its format has changed.
  func reopen() throws(CamrecError)
}

extension Microphone {
  /// A source that is not a device cannot be reopened.
  public func reopen() throws(CamrecError) { throw CamrecError(.device, "\(name) cannot be reopened") }
}

/// Continuously stretches or shortens a microphone's stream by parts per million, and converts its rate and channels.
/// Thread: one at a time.
public protocol AudioResampler: AnyObject, Sendable {
  var inputFormat: AudioFormat { get }
  var outputFormat: AudioFormat { get }

  /// Output audio frames of the input so far that are still held inside.
  var heldFrames: Double { get }

  /// From now on `inputSeconds` of input become `inputSeconds · (1 + partsPerMillion · 10⁻⁶)` of output.
  func setStretch(partsPerMillion: Double) throws(CamrecError)

  /// Consumes all of `input` and replaces the content of `output` with the result so far; the next call delivers the
  /// rest. `output` needs room for 1.1 × the input at the output's rate + 64 audio frames.
  func resample(_ input: borrowing AudioBuffer, into output: inout AudioBuffer) throws(CamrecError)
}
