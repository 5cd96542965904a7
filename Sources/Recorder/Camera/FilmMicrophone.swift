package import Audio
package import Frames
import Platform

/// A film's own view of a microphone that runs on.
///
/// `@unchecked Sendable`: touched by the film's sound thread alone.
package final class FilmMicrophone: Microphone, @unchecked Sendable {
  package let session: MicrophoneSession
  private var feed: SoundFeed?
  /// A block from behind an absence that the film has not heard of yet.
  private var pending: SoundFeed.Block?
  /// Absences that the film knows of.
  private var absences = 0

  /// Seconds that `read` waits at most.
  private static let patience = 0.1

  package init(_ session: MicrophoneSession) { self.session = session }

  package var name: String { session.microphone.name }
  package var format: AudioFormat { session.microphone.format }
  package var isPulled: Bool { false }

  package func start() throws(CamrecError) {
    absences = session.absence.count
    feed = session.attach()
    if let failure = session.absence.failure { throw failure }
  }

  package func read(into buffer: inout AudioBuffer) throws(CamrecError) -> Bool {
    (buffer.count, buffer.lostBefore) = (0, 0)
    guard let feed else { return false }
    var next = pending.take()
    if next == nil { next = feed.take(within: FilmMicrophone.patience) }
    guard var block = next.take() else {
      let absence = session.absence
      if absence.count > absences, let failure = absence.failure { throw failure }
      return true
    }
    guard block.absences <= absences else {
      pending = consume block
      throw CamrecError(.device, "\(name) was gone for a moment")
    }
    // A faster camera's film reads smaller blocks.
    let count = min(block.sound.count, buffer.capacity)
    buffer.copy(block.sound, count: count)
    if count < block.sound.count {
      block.sound.dropFirst(count)
      block.sound.lostBefore = 0
      pending = consume block
    } else {
      feed.giveBack(block.sound)
    }
    return true
  }

  package func stop() {
    if let feed { session.detach(feed) }
    feed = nil
  }

  package func reopen() throws(CamrecError) {
    let absence = session.absence
    if let failure = absence.failure { throw failure }
    absences = absence.count
    if feed == nil { feed = session.attach() }
  }
}
