import Cluster
import Testing

@Suite struct SlurmQueueTests {
  @Test func `lines of squeue are read, others are passed over`() {
    let queue = SlurmQueue(lines: [
      "0|RUNNING|None", " 11 | PENDING | Resources ", "slurm says hello", "N/A|PENDING|x", "",
    ])
    #expect(
      queue.tasks == [0: .init(state: "RUNNING", reason: "None"), 11: .init(state: "PENDING", reason: "Resources")])
    #expect(queue.words == "1 pending (Resources), 1 running")
    #expect(SlurmQueue(lines: []).tasks.isEmpty)
  }

  @Test func `it is hopeless where no task will run by itself`() {
    let held = "1|PENDING|launch failed requeued held"
    #expect(SlurmQueue(lines: [held, "2|PENDING|JobHeldAdmin"]).hopeless != nil)
    #expect(SlurmQueue(lines: [held, "2|REQUEUE_HOLD|None"]).hopeless != nil)
    #expect(SlurmQueue(lines: ["2|SPECIAL_EXIT|None"]).hopeless == "SPECIAL_EXIT")
    #expect(SlurmQueue(lines: [held]).hopeless == "launch failed requeued held")
    #expect(SlurmQueue(lines: [held, "2|RUNNING|None"]).hopeless == nil)
    #expect(SlurmQueue(lines: [held, "2|PENDING|Resources"]).hopeless == nil)
    #expect(SlurmQueue(lines: []).hopeless == nil)
  }
}
