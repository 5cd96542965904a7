import Dispatch
import Foundation
package import Triggers

/// SIGUSR1 and SIGUSR2 as commands, which are carried out one after another; one without a meaning does nothing.
/// Several of one kind that come meanwhile count as one, because the kernel merges them.
///
/// Thread: any.
///
/// `@unchecked Sendable`: `sources` is a constant whose elements libdispatch lets any thread cancel.
package final class StartSignals: @unchecked Sendable {
  private let sources: [any DispatchSourceSignal]

  package init(
    _ meaning: TriggerSettings.Signals, _ follow: @escaping @Sendable (ButtonChoice.Action, String) -> Void
  ) {
    let queue = DispatchQueue(label: "camrec-signals")
    let meant: [(Int32, String, ButtonChoice.Action)] =
      switch meaning {
      case .toggle: [(SIGUSR1, "SIGUSR1", .toggle)]
      case .startStop: [(SIGUSR1, "SIGUSR1", .start), (SIGUSR2, "SIGUSR2", .stop)]
      }
    // One that means nothing must not end camrec, either.
    for number in [SIGUSR1, SIGUSR2] { _ = signal(number, SIG_IGN) }
    sources = meant.map { number, name, action in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { follow(action, "signal \(name)") }
      source.resume()
      return source
    }
  }

  package func close() { sources.forEach { $0.cancel() } }
}
