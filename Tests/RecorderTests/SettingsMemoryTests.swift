import Exposure
import Frames
import Platform
import Recorder
import RecorderAPI
import Synchronization
import TestKit
import Testing

/// What is set while a recorder runs is kept for its next start, and no disk holds up its control with that.
struct SettingsMemoryTests {
  private final class Memory: RecorderMemory {
    let gate = Gate()
    let kept = Mutex<[Double?]>([])
    let latest = Mutex<RecorderSettings?>(nil)
    let startExposure = ExposureOptions()

    func keep(_ settings: RecorderSettings?) throws(CamrecError) {
      gate.pass()
      latest.withLock { $0 = settings }
      kept.withLock { $0.append(settings?.exposure?.bias.ev) }
      if settings?.exposure?.bias.ev == 3 { throw CamrecError(.output, "the disk is full") }
    }
  }

  @Test func aDiskThatDoesNotAnswerHoldsUpNoCommand() throws {
    let memory = Memory()
    let films = RecorderServiceTests.Films()
    let outcome = try RecorderServiceTests().run(films, memory: memory) { service in
      try RecorderServiceTests.wait(service, "frames are written") { $0.ledger.written >= 2 }
      memory.gate.close()
      for ev in 1...2 { try service.perform(.exposure(.bias(Stops(Double(ev))))) }
      #expect(memory.kept.withLock { $0 } == [], "nothing could be kept, and both are in force")
      #expect(service.state.exposure?.bias == 2)
      let refusal = RecorderServiceTests.refusal(service, .forget)
      #expect(refusal?.code == .output)
      #expect(refusal?.message.hasPrefix("the disk of the settings file does not answer; ") == true)
      #expect(try service.perform(.stop).phase == .ended, "its end does not wait either")
    }
    #expect(outcome.notes.warnings.count { $0.contains("the disk of the settings file does not answer") } == 2)
    memory.gate.open()
    // The first had begun; of those that waited, the newest counts.
    for _ in 0..<500 where memory.kept.withLock({ $0.count }) < 2 { WorkThread.sleep(.milliseconds(10)) }
    #expect(memory.kept.withLock { $0 } == [1, nil])
  }

  @Test func eachChangeIsKeptBeforeItsAnswer_andAFullDiskIsSaid() throws {
    let memory = Memory()
    let outcome = try RecorderServiceTests().run(memory: memory) { service in
      try RecorderServiceTests.wait(service, "frames are written") { $0.ledger.written >= 2 }
      for ev in 1...3 {
        try service.perform(.exposure(.bias(Stops(Double(ev)))))
        #expect(memory.kept.withLock { $0.count } == ev)
      }
      try service.perform(.forget)
    }
    #expect(memory.kept.withLock { $0 } == [1, 2, 3, nil])
    #expect(outcome.notes.warnings.count { $0.contains("the disk is full") } == 1)
  }

  @Test func aChangeAfterForgettingIsKeptAlone() throws {
    let memory = Memory()
    _ = try RecorderServiceTests().run(memory: memory) { service in
      try RecorderServiceTests.wait(service, "frames are written") { $0.ledger.written >= 2 }
      try service.perform(.exposure(.bias(Stops(1))))
      try service.perform(.source(SourceChange(frameRate: FrameRate(parsing: "30"))))
      try service.perform(.forget)
      #expect(service.state.exposure?.bias == 1, "it stays in force")
      try service.perform(.exposure(.metering(.average)))
      var expected = ExposureOptions()
      expected.metering = .average
      #expect(memory.latest.withLock { $0 } == RecorderSettings(exposure: expected))
      try service.perform(.exposure(.bias(Stops(1))))
      expected.bias = Stops(1)
      #expect(memory.latest.withLock { $0 } == RecorderSettings(exposure: expected), "somebody has asked for it again")
    }
  }

  @Test func anISOThatIsSetAfterForgetting_isKeptWithItsMode() throws {
    let memory = Memory()
    _ = try RecorderServiceTests().run(memory: memory) { service in
      try RecorderServiceTests.wait(service, "frames are written") { $0.ledger.written >= 2 }
      try service.perform(.exposure(.mode(.manual)))
      try service.perform(.exposure(.iso(400)))
      try service.perform(.forget)
      try service.perform(.exposure(.iso(800)))
      let kept = memory.latest.withLock { $0 }?.exposure
      #expect(kept?.mode == .manual && kept?.iso == 800)
    }
  }
}
