import Frames
import Platform
import Synchronization
import TestKit
import Testing

struct PatientWorkerTests {
  @Test func worksInOrderAndAnswers() {
    let worker = PatientWorker(name: "camrec-test", patience: 60), done = Mutex<[Int]>([])
    for number in 0..<20 {
      let result = worker.run(about: "films") {
        done.withLock { $0.append(number) }
        return number
      }
      #expect(result == number)
    }
    #expect(done.withLock { $0 } == Array(0..<20))
    #expect(worker.stalledPath == nil)
  }

  /// A call that hangs is waited for only as long as was said; what is asked meanwhile is refused at once, and when the
  /// call returns after all its work is done to the end.
  @Test func givesUpWaitingForWhatDoesNotAnswer() {
    let worker = PatientWorker(name: "camrec-test", patience: 0.05), gate = Gate(), done = Mutex<[String]>([])
    gate.close()
    let first = worker.run(about: "films") {
      worker.call.during("films/.camrec-films.jsonl") { gate.pass() }
      done.withLock { $0.append("first") }
      return 1
    }
    #expect(first == nil && !worker.isIdle)
    gate.awaitSomebody()
    while worker.stalledPath != "films/.camrec-films.jsonl" { WorkThread.sleep(.milliseconds(1)) }
    let second: Void? = worker.run(about: "films") { done.withLock { $0.append("second") } }
    #expect(second == nil)
    let sentence = message {
      try worker.attempt(about: "films") { () throws(CamrecError) in done.withLock { $0.append("third") } }
    }
    #expect(sentence == "'films' does not answer; look at that disk, then try again")
    #expect(done.withLock { $0 } == [])
    gate.open()
    while !worker.isIdle { WorkThread.sleep(.milliseconds(1)) }
    #expect(done.withLock { $0 } == ["first"] && worker.stalledPath == nil)
  }

  /// Somebody who cannot wait so long has the work done all the same.
  @Test func whoHasNoTimeWaitsNoLonger() {
    let worker = PatientWorker(name: "camrec-test", patience: 60), gate = Gate(), done = Mutex(0)
    gate.close()
    let result: Void? = worker.run(about: "films", within: 0.01) {
      gate.pass()
      done.withLock { $0 += 1 }
    }
    #expect(result == nil && worker.stalledPath == nil)
    gate.open()
    #expect(worker.run(about: "films") { done.withLock { $0 } } == 1)
  }

  @Test func workThatFailsSaysWhy() {
    let worker = PatientWorker(name: "camrec-test", patience: 60)
    let sentence = message {
      try worker.attempt(about: "films") { () throws(CamrecError) in throw CamrecError(.output, "it is full") }
    }
    #expect(sentence == "it is full")
  }

  /// Of calls inside one another the innermost is what is waited for.
  @Test func theCallThatLastsIsNamed() {
    let call = DiskCall()
    #expect(call.stalled(for: 0) == nil)
    call.during("folder") {
      #expect(call.stalled(for: 0) == "folder")
      call.during("folder/film") { #expect(call.stalled(for: 0) == "folder/film") }
      #expect(call.stalled(for: 0) == "folder" && call.stalled(for: 3600) == nil)
    }
    #expect(call.stalled(for: 0) == nil)
  }

  private func message(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return (error as? CamrecError)?.message }
    return nil
  }
}
