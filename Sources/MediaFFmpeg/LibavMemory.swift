import CFFmpeg
import Platform

/// The largest piece of memory that FFmpeg's libraries may take at once: one number for the whole process
/// (`av_max_alloc`), of which readers and writers want different things.
///
/// A table in a damaged clip may promise billions of samples in a few bytes, so every clip is opened with a limit. A
/// film that gets one table at its end, or an encoder of large frames, may need more than that; such a writer holds a
/// `Lift`. Nothing in FFmpeg's libraries sets the limit for one file, so it holds as long as any clip is being opened,
/// whoever writes meanwhile, and while there is no `Lift`. Writers that can wait wait for the end of openings
/// (`Lift.beginUse`), and an opening waits for what they do at that moment; a live recording never waits, but its
/// largest pieces are limited while a clip is being opened.
///
/// Before the first clip is opened there is no limit. Packets are read without one if there is a `Lift`.
///
/// Thread: any.
///
/// `@unchecked Sendable`: the counts are touched only while `condition` is locked.
package final class LibavMemory: @unchecked Sendable {
  /// The process's own.
  static let process = LibavMemory { av_max_alloc($0) }
  /// In bytes: the index of 14 million samples, or a plane of 16384 × 10240 at 10 bits.
  package static let limit = 320 << 20
  package static let unlimited = Int.max

  private let condition = MonotonicCondition()
  private let apply: @Sendable (Int) -> Void
  private var applied: Int?
  private var hasOpened = false
  private var lifts = 0
  /// Clips that are being opened.
  private var openings = Group()
  /// Calls of writers that must not meet the limit; never beside an opening.
  private var uses = Group()

  private struct Group {
    var active = 0
    var waiting = 0
    /// The other group waits: whoever comes now begins behind it.
    var yields = false
  }

  /// - Parameter apply: sets the largest number of bytes; never called by two threads at a time.
  package init(apply: @escaping @Sendable (Int) -> Void) { self.apply = apply }

  /// Applies the limit until `endOpening`, once no use is under way.
  package func beginOpening() {
    condition.lock()
    defer { condition.unlock() }
    begin(\.openings, beside: \.uses)
    hasOpened = true
    update()
  }

  package func endOpening() {
    condition.lock()
    defer { condition.unlock() }
    end(\.openings, beside: \.uses)
    update()
  }

  /// Lifts the limit as long as the result lives, except while clips are being opened.
  package func lift() -> Lift {
    condition.lock()
    defer { condition.unlock() }
    lifts += 1
    update()
    return Lift(self)
  }

  /// A writer's claim to memory without a limit.
  package final class Lift: Sendable {
    private let memory: LibavMemory

    fileprivate init(_ memory: LibavMemory) { self.memory = memory }

    deinit { memory.endLift() }

    /// Waits until no clip is being opened; until `endUse` none is opened.
    package func beginUse() { memory.beginUse() }

    package func endUse() { memory.endUse() }
  }

  private func endLift() {
    condition.lock()
    defer { condition.unlock() }
    lifts -= 1
    update()
  }

  private func beginUse() {
    condition.lock()
    defer { condition.unlock() }
    begin(\.uses, beside: \.openings)
  }

  private func endUse() {
    condition.lock()
    defer { condition.unlock() }
    end(\.uses, beside: \.openings)
  }

  private typealias Place = ReferenceWritableKeyPath<LibavMemory, Group>

  /// Waits for the other group's end. The groups take turns, so that neither waits for ever. Call while `condition` is
  /// locked.
  private func begin(_ own: Place, beside other: Place) {
    self[keyPath: own].waiting += 1
    if self[keyPath: other].active > 0 { self[keyPath: other].yields = true }
    while self[keyPath: other].active > 0 || (self[keyPath: own].yields && self[keyPath: other].waiting > 0) {
      condition.wait()
    }
    self[keyPath: own].waiting -= 1
    self[keyPath: own].active += 1
    self[keyPath: own].yields = self[keyPath: other].waiting > 0
    self[keyPath: other].yields = false
  }

  private func end(_ own: Place, beside other: Place) {
    self[keyPath: own].active -= 1
    guard self[keyPath: own].active == 0 else { return }
    self[keyPath: own].yields = self[keyPath: other].waiting > 0
    self[keyPath: other].yields = false
    condition.broadcast()
  }

  /// Call while `condition` is locked.
  private func update() {
    let isLifted = lifts > 0 && openings.active == 0
    guard isLifted || hasOpened else { return }
    let bytes = isLifted ? LibavMemory.unlimited : LibavMemory.limit
    guard bytes != applied else { return }
    applied = bytes
    apply(bytes)
  }
}
