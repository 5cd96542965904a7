import Frames
import Platform
import Synchronization
import Testing

struct BoundedQueueTests {
  @Test func keepsOrderAndRefusesWhenFull() {
    let queue = BoundedQueue<Int>(capacity: 2)
    #expect(queue.offer(1) == nil)
    #expect(queue.offer(2) == nil)
    #expect(queue.offer(3) == 3)
    #expect(queue.depth == 2)
    #expect(queue.pop() == 1)
    #expect(queue.offer(3) == nil)
    #expect(queue.poll() == 2)
    #expect(queue.poll() == 3)
    #expect(queue.poll() == nil)
  }

  @Test func drainsAfterClosingAndRefusesPushes() {
    let queue = BoundedQueue<Int>(capacity: 4)
    #expect(queue.push(1) == nil)
    queue.close()
    queue.close()
    #expect(queue.push(2) == 2)
    #expect(queue.pop() == 1)
    #expect(queue.pop() == nil)
  }

  @Test func movesEveryElementOnceBetweenThreads() {
    let queue = BoundedQueue<Int>(capacity: 3)
    let sum = Mutex(0)
    let reader = WorkThread(name: "reader") {
      var expected = 0
      while let value = queue.pop() {
        if value == expected { sum.withLock { $0 += value } }
        expected += 1
      }
    }
    for value in 0..<1000 { _ = queue.push(value) }
    queue.close()
    reader.join()
    reader.join()
    #expect(sum.withLock { $0 } == 499_500)
  }

  @Test func endsWhatIsLeftInside() {
    let pool = FramePool(
      format: FrameFormat(width: 2, height: 2, layout: .nv12, color: .rec709), capacity: 3)
    do {
      let queue = BoundedQueue<Frame>(capacity: 3)
      for _ in 0..<3 {
        guard let frame = pool.take() else { continue }
        let refused = queue.offer(frame) != nil
        #expect(!refused)
      }
      _ = queue.pop()
      #expect(pool.available == 1)
    }
    #expect(pool.available == 3)
  }
}
