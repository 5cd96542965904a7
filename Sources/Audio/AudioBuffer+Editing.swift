public import Frames

extension AudioBuffer {
  /// Removes `frames` from the front (all, if there are fewer) and advances `time` by them.
  public mutating func dropFirst(_ frames: Int) {
    let dropped = min(max(frames, 0), count)
    guard dropped > 0 else { return }
    let bytes = format.bytesPerFrame, kept = count - dropped
    unsafe withMutableBytes { all in
      let start = unsafe all.baseAddress.unsafelyUnwrapped
      unsafe start.copyMemory(from: start + dropped * bytes, byteCount: kept * bytes)
    }
    count = kept
    time = time.advanced(by: Int64((Double(dropped) / Double(format.sampleRate) * 1e9).rounded()))
  }

  /// The time of the audio frame after the last one in the buffer.
  public var endTime: MonotonicTime {
    time.advanced(by: Int64((Double(count) / Double(format.sampleRate) * 1e9).rounded()))
  }

  /// Fills the whole capacity with silence; `count` does not change.
  public mutating func clear() {
    unsafe withMutableBytes { all in
      unsafe all.initializeMemory(as: UInt8.self, repeating: 0)
      return
    }
  }

  /// Becomes a copy of `count` audio frames of `other` from `first` on; of all from `first` on if `count` is `nil`.
  ///
  /// - Precondition: the formats are equal and the samples fit.
  public mutating func copy(_ other: borrowing AudioBuffer, from first: Int = 0, count part: Int? = nil) {
    let frames = part ?? other.count - first
    precondition(format == other.format && frames <= capacity, "a copy needs the same format and room")
    precondition(first >= 0 && frames >= 0 && first + frames <= other.count, "the frames to copy are in the buffer")
    let bytes = format.bytesPerFrame
    count = frames
    time = other.time.advanced(by: Int64((Double(first) / Double(format.sampleRate) * 1e9).rounded()))
    lostBefore = first == 0 ? other.lostBefore : 0
    unsafe withMutableBytes { target in
      unsafe other.withBytes { source in
        let moved = (first * bytes)..<((first + frames) * bytes)
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[moved]))
      }
    }
  }

  /// Appends `part` audio frames of `other`, from `first` on.
  ///
  /// - Precondition: the formats are equal and the samples fit.
  public mutating func append(_ other: borrowing AudioBuffer, from first: Int, count part: Int) {
    precondition(format == other.format && count + part <= capacity, "appending needs the same format and room")
    precondition(first >= 0 && part >= 0 && first + part <= other.count, "the frames to append are in the buffer")
    let bytes = format.bytesPerFrame, start = count * bytes
    unsafe withMutableBytes { target in
      unsafe other.withBytes { source in
        let moved = unsafe UnsafeRawBufferPointer(rebasing: source[(first * bytes)..<((first + part) * bytes)])
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[start...]).copyMemory(from: moved)
      }
    }
    count += part
  }

  /// The largest magnitude among the samples in the buffer, 0…1.
  public var peak: Double {
    unsafe withBytes { bytes in
      switch format.sample {
      case .s16:
        var peak: UInt16 = 0
        for unsafe sample in unsafe bytes.bindMemory(to: Int16.self) { peak = max(peak, sample.magnitude) }
        return Double(peak) / 32768
      case .s32:
        var peak: UInt32 = 0
        for unsafe sample in unsafe bytes.bindMemory(to: Int32.self) { peak = max(peak, sample.magnitude) }
        return Double(peak) / 2_147_483_648
      }
    }
  }
}
