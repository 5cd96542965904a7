import Exposure
import Frames
import Platform
import Synchronization

/// Sets a slow camera's exposure on a separate thread. The latest wish counts; older ones not yet begun are dropped.
///
/// Thread: any.
final class ExposureApplier: Sendable {
  /// The camera's answer to a wish, if it differs from the wish.
  struct Answer: Sendable {
    let wish: ExposureSetting
    let result: Result<ExposureSetting, CamrecError>
  }

  /// Passes wishes and answers between the threads.
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

  /// - Parameter found: the device's present setting.
  init(_ device: ExposureDevice, found: ExposureSetting) {
    let exchange = exchange
    thread = WorkThread(name: "camrec-exposure") {
      // `nil` after an error: it is not known which part of the setting was made.
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

  /// Requests a setting; does not wait.
  func ask(_ setting: ExposureSetting) { exchange.ask(setting) }

  /// The answer, if the camera took a different setting than the last one requested, or none.
  func takeAnswer() -> Answer? { exchange.takeAnswer() }

  /// Waits for a call under way.
  func close() {
    exchange.bell.close()
    thread.join()
  }
}
