import Cameras
import Frames
import Platform
import Synchronization

extension V4L2Controls {
  /// Puts back everything that was changed. Values that the camera refuses are left for the next opening, with a
  /// message in `warnings`.
  public func restore() {
    state.withLock { state in
      guard !state.found.isEmpty else { return }
      let found = state.found
      state.found = FoundControls()
      // The lock is held already, unless an earlier attempt left something.
      _ = try? state.file.tryLock()
      putBack(found, &state)
    }
  }

  /// Puts back what a killed camrec left behind; a running one keeps its camera as it has set it.
  func restoreAfterCrash(_ state: inout State) {
    do throws(CamrecError) {
      guard try state.file.tryLock() else { return }
      guard let found = try state.file.read() else { return state.file.unlock() }
      putBack(found, &state)
      if state.warnings.isEmpty {
        state.warn("an earlier camrec left controls of \(name) changed; they have been put back as it found them")
      }
    } catch {
      state.file.unlock()
      // If the folder cannot be written, nothing was left in it; the next change will report that.
      if error.message.hasPrefix(state.file.path) { state.warn(error.message) }
    }
  }

  private func putBack(_ found: FoundControls, _ state: inout State) {
    let left = found.restore(through: port)
    guard !left.isEmpty else {
      state.file.remove()
      return state.file.unlock()
    }
    state.warn("\(name) did not accept all values that camrec put back; the next start tries again")
    try? state.file.write(left)
    // A later change of the same control is still put back to the first value.
    if state.keeping == .untilRestored { state.found = left }
    state.file.unlock()
  }

  /// Stores a value before its first change.
  func note(_ value: FoundControls.Value, _ state: inout State) {
    guard state.keeping == .untilRestored, !state.found.contains(value.id) else { return }
    state.found.values.append(value)
    save(&state)
  }

  func note(_ crop: CropArea, _ state: inout State) {
    guard state.keeping == .untilRestored, state.found.crop == nil else { return }
    state.found.crop = crop
    save(&state)
  }

  private func save(_ state: inout State) {
    do throws(CamrecError) {
      guard try state.file.tryLock() else {
        state.warn("another camrec has changed controls of \(name); if this camrec is killed, its changes stay")
        return
      }
      try state.file.write(state.found)
    } catch {
      state.warn(error.message)
    }
  }
}
