public import Audio
public import Frames
import Glibc
import Platform

/// A microphone through the ALSA library, stamped by the device on the monotonic clock.
///
/// An overrun (nobody read for half a second) does not end the audio: the stream is restarted, and the time between the
/// stamps before and after shows how many audio frames are missing.
///
/// `@unchecked Sendable`: one thread at a time, as `Microphone` says.
public final class ALSAMicrophone: Microphone, @unchecked Sendable {
  public let name: String
  public let format: AudioFormat
  public let isPulled = false
  /// `nil` while it is being reopened, and after that has failed.
  private var pcm: CapturePCM?
  private let card: SoundCard?
  private var times: SoundTimes

  /// The longest wait of `read`, in milliseconds.
  private static let patience: Int32 = 100
  /// A stamp further from now than this is not on the monotonic clock.
  private static let plausible: Int64 = 10_000_000_000

  private init(_ pcm: CapturePCM) {
    self.pcm = pcm
    card = SoundCard(ofDevice: pcm.name)
    name = pcm.name
    format = pcm.format
    times = SoundTimes(sampleRate: pcm.format.sampleRate)
  }

  /// Opens a microphone in its format nearest to 48 kHz, stereo, 16 bit.
  ///
  /// - Parameter name: an ALSA device (`hw:CARD=Device,DEV=0`), or `nil` for ALSA's `default`.
  /// - Returns: `nil` if `name` is `nil` and there is no `default`.
  /// - Throws: code `device` for a named device that is missing, and for one that is busy, forbidden or broken.
  public static func open(name: String?) throws(CamrecError) -> ALSAMicrophone? {
    let device = name ?? "default"
    do throws(ALSACallError) {
      return ALSAMicrophone(try CapturePCM(name: device))
    } catch {
      if name == nil, error.isAbsence { return nil }
      throw error.explained(microphone: device, isOpen: false)
    }
  }

  public func start() throws(CamrecError) {
    times = SoundTimes(sampleRate: format.sampleRate)
    do throws(ALSACallError) {
      try opened().start()
    } catch {
      throw error.explained(microphone: name, isOpen: true)
    }
  }

  public func stop() { pcm?.stop() }

  /// Finds the card by its serial number or port, whatever its name is now.
  public func reopen() throws(CamrecError) {
    // Otherwise the card's name would still be in use when it comes back.
    pcm = nil
    guard let device = card == nil ? name : card?.device(of: name) else {
      throw CamrecError(.device, "microphone \(name) is not connected")
    }
    let found: CapturePCM
    do throws(ALSACallError) {
      found = try CapturePCM(name: device)
    } catch {
      throw error.explained(microphone: name, isOpen: false)
    }
    guard found.format == format else {
      throw CamrecError(.device, "microphone \(name) came back with another rate, number of channels or sample format")
    }
    pcm = found
    try start()
  }

  private func opened() throws(ALSACallError) -> CapturePCM {
    guard let pcm else { throw ALSACallError(function: "snd_pcm_open", number: ENODEV) }
    return pcm
  }

  /// - Precondition: the buffer has this microphone's format.
  public func read(into buffer: inout AudioBuffer) throws(CamrecError) -> Bool {
    precondition(buffer.format == format, "a buffer has the format of the microphone that fills it")
    buffer.count = 0
    buffer.lostBefore = 0
    do throws(ALSACallError) {
      try fill(&buffer)
    } catch {
      guard error.isOverrun else { throw error.explained(microphone: name, isOpen: true) }
      try goOn()
    }
    return true
  }

  private func fill(_ buffer: inout AudioBuffer) throws(ALSACallError) {
    let pcm = try opened()
    guard try pcm.wait(milliseconds: ALSAMicrophone.patience) else { return }
    let position = try pcm.position()
    guard position.available > 0 else { return }
    let count = try pcm.read(min(position.available, buffer.capacity), into: &buffer)
    guard count > 0 else { return }
    let now = MonotonicTime.now(), stated = MonotonicTime(nanoseconds: position.nanoseconds)
    let stamp = abs(now - stated) < ALSAMicrophone.plausible ? stated : now
    let place = times.place(stamp: stamp, available: position.available, count: count)
    buffer.count = count
    buffer.time = place.time
    buffer.lostBefore = place.lostBefore
  }

  private func goOn() throws(CamrecError) {
    times.noteOverrun()
    do throws(ALSACallError) {
      try opened().start()
    } catch {
      throw error.explained(microphone: name, isOpen: true)
    }
  }
}
