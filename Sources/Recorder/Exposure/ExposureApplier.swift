import Exposure
import Frames
import Synchronization

/// Sets a slow camera's exposure on a thread of its own: the last wish counts, older ones that were not begun are
/// forgotten.
///
/// Thread: any.
final class ExposureApplier: Sendable {
  /// What the camera made of a wish, where that is something else.
  struct Answer: Sendable {
    let wish: ExposureSetting
    let result: Result<ExposureSetting, CamrecError>
  }

  /// What wishes and answers pass through.
  private final class Exchange: Sendable {
    private let wish = Mutex<ExposureSetting?>(nil)
    private let answer = Mutex<Answer?>(nil)
    let bell = BoundedQueue<Bool>(capacity: 1)

    func ask(_ setting: ExposureSetting) {
      wish.withLock { $0 = setting }
      _ = bell.offer(true)
    }

    func takeWish() -> ExposureSetting? {
      wish.withLock { wish in
        defer { wish = nil }
        return wish
      }
    }

    func answered(_ new: Answer) { answer.withLock { $0 = new } }

    func takeAnswer() -> Answer? {
      answer.withLock { answer in
        defer { answer = nil }
        return answer
      }
    }
  }

  private let exchange = Exchange()
  private let thread: WorkThread

  /// - Parameter found: what the device is set to.
  init(_ device: ExposureDevice, found: ExposureSetting) {
    let exchange = exchange
    thread = WorkThread(name: "camrec-exposure") {
      // What of a setting was set before an error is not known.
      var before: ExposureSetting? = found
      while exchange.bell.pop() != nil {
        guard let wish = exchange.takeWish() else { continue }
        do throws(CamrecError) {
          let answer = try device.apply(wish, before: before)
          before = answer
          if answer != wish { exchange.answered(Answer(wish: wish, result: .success(answer))) }
        } catch {
          before = nil
          exchange.answered(Answer(wish: wish, result: .failure(error)))
        }
      }
    }
  }

  /// Does not wait.
  func ask(_ setting: ExposureSetting) { exchange.ask(setting) }

  /// Where the camera took another setting than the last one it was asked for, or none.
  func takeAnswer() -> Answer? { exchange.takeAnswer() }

  /// Waits for a call that is underway.
  func close() {
    exchange.bell.close()
    thread.join()
  }
}
