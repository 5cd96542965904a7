import Assembly
import Frames
import Platform
import Recorder
import RecorderAPI
import Synchronization
import TestKit
import Testing

/// Who is told a recorder's state, and what one that hangs holds up.
struct RecorderWatchTests {
  private final class Listener: RecorderWatch.Listener {
    let title: String
    /// Each telling passes it.
    let gate = Gate()
    let told = MonotonicSemaphore(), ended = MonotonicSemaphore()
    let last = Mutex<RecorderState?>(nil)
    private let fault: CamrecError?

    init(_ title: String, fault: CamrecError? = nil) {
      self.title = title
      self.fault = fault
    }

    func tell(_ state: RecorderState) throws(CamrecError) {
      gate.pass()
      told.signal()
      if let fault { throw fault }
    }

    func end(_ state: RecorderState) throws(CamrecError) {
      gate.pass()
      last.withLock { $0 = state }
      ended.signal()
      if let fault { throw fault }
    }
  }

  private final class Sentences: Sendable {
    private let said = Mutex<[String]>([])
    var all: [String] { said.withLock { $0 } }
    func add(_ sentence: String) { said.withLock { $0.append(sentence) } }
  }

  private let recorder = RecorderService(exposure: nil)
  private let sentences = Sentences()

  private func watch(_ listener: Listener) -> RecorderWatch {
    let sentences = sentences
    return RecorderWatch(recorder, listener, warn: { sentences.add($0) }, note: { sentences.add($0) })
  }

  @Test func oneThatHangsHoldsUpNeitherAnotherNorTheEnd() {
    let hung = Listener("the hung one"), other = Listener("the other")
    hung.gate.close()
    let first = watch(hung), second = watch(other)
    hung.gate.awaitSomebody()
    second.close(failure: CamrecError(.device, "the camera is away"))
    other.ended.wait()
    let state = other.last.withLock { $0 }
    #expect(state?.phase == .ended && state?.failure == "the camera is away")
    first.close()
    #expect(
      sentences.all.contains("the hung one does not answer; the recorder's end is not reported there"),
      "\(sentences.all)")
    // It hears of the end when it answers again.
    hung.gate.open()
    hung.ended.wait()
    #expect(hung.last.withLock { $0?.phase } == .ended)
  }

  @Test func aFaultIsToldOnce() {
    let listener = Listener("the full one", fault: CamrecError(.output, "the disk is full"))
    let watcher = watch(listener)
    for _ in 0..<2 { listener.told.wait() }
    watcher.close()
    listener.ended.wait()
    let sentence = "the disk is full; the recorder continues without it, and tries again every second"
    #expect(sentences.all.filter { $0 == sentence }.count == 1, "\(sentences.all)")
  }
}
