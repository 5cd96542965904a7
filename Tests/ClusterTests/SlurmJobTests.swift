import Cluster
import Testing

@Suite struct SlurmJobTests {
  private let job = SlurmJob(
    name: "camrec-golden", command: ["/opt/my camrec", "golden", "check"], arguments: ["--", "it's $HOME.yaml"],
    shards: 12, cores: 2, logs: "/shared/50%", home: "/shared/suite")

  @Test func `every word reaches the task as it is`() {
    #expect(
      job.script == """
        #!/bin/sh
        exec '/opt/my camrec' 'golden' 'check' --shard "$SLURM_ARRAY_TASK_ID/12" '--' 'it'\\''s $HOME.yaml'

        """)
  }

  @Test func `a submission names tasks, processors, folder and log, and is queued again`() {
    let words = job.submission(of: [7, 0, 1, 2, 9, 10, 11], script: "/shared/task.sh")
    #expect(
      words == [
        "--parsable", "--requeue", "--open-mode=append", "--job-name=camrec-golden", "--ntasks=1", "--cpus-per-task=2",
        "--array=0-2,7,9-11", "--chdir=/shared/suite", "--output=/shared/50%%/task-%a.log", "/shared/task.sh",
      ])
    #expect(job.log(7) == "/shared/50%/task-7.log")
  }

  @Test(arguments: [([3], "3"), (Array(0..<1000), "0-999"), ([5, 4, 4, 2], "2,4-5")]) func `lists of tasks are short`(
    indexes: [Int], text: String
  ) { #expect(job.submission(of: indexes, script: "x").contains("--array=\(text)")) }

  @Test func `a job's name is read, and its cluster's`() {
    let name = SlurmJob.Name("1234")
    #expect(name?.number == "1234" && name?.cluster == nil && name?.cancellation == ["1234"])
    #expect(name?.question == ["--noheader", "--array", "--jobs=1234", "--format=%K|%T|%r"])
    #expect(SlurmJob.Name("1234;far")?.cancellation == ["--clusters=far", "1234"])
    for wrong in ["sbatch: error", "", "12a", ";far", " 12"] { #expect(SlurmJob.Name(wrong) == nil, "\(wrong)") }
  }
}
