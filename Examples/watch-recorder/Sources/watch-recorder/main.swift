import Foundation
import RecorderAPI
import RecorderRemote

// Lists the recorders of this machine. With a recorder's name: prints its controls, records two seconds, and follows
// its state meanwhile.
let directory = RecorderDirectory()
for recorder in directory.running { print(recorder, recorder.socket ?? "has no control socket") }
guard let name = CommandLine.arguments.dropFirst().first else { exit(0) }
do {
  let recorder = try directory.connect(to: name)
  for control in try recorder.controls() { print(" ", control) }
  let updates = try recorder.updates(after: nil)
  try recorder.perform(ControlRequest(.start))
  var known: StateUpdate?, isStopping = false
  while let update = try updates.next() {
    known = update.applied(to: known)
    guard let state = known?.values else { continue }
    print(state.phase.rawValue, state.film ?? "-", "\(state.ledger.written) frames")
    if state.phase == .recording, state.seconds >= 2, !isStopping {
      isStopping = true
      try recorder.perform(ControlRequest(.stop))
    } else if isStopping, state.phase == .standby {
      break
    }
  }
} catch {
  print(error)
  exit(1)
}
