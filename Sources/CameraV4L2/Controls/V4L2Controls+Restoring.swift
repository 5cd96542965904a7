import Cameras
import Frames
import Synchronization

extension V4L2Controls {
  /// Puts back everything that was changed. What the camera does not take back now is left for the next opening, and
  /// `warnings` says so.
  public func restore() {
    state.withLock { state in
      guard !state.found.isEmpty else { return }
      let found = state.found
      state.found = FoundControls()
      // Held already, unless an earlier try left something.
      _ = try? state.file.tryLock()
      putBack(found, &state)
    }
  }

  /// Puts back what a camrec that died has left; one that lives keeps its camera as it has set it.
  func restoreAfterCrash(_ state: inout State) {
    do throws(CamrecError) {
      guard try state.file.tryLock() else { return }
      guard let found = try state.file.read() else { return state.file.unlock() }
      putBack(found, &state)
      if state.warnings.isEmpty {
        state.warn("an earlier camrec had left controls of \(name) changed; they are as it found them again")
      }
    } catch {
      state.file.unlock()
      // Where nothing can be written nothing was left, and a change will say so.
      if error.message.hasPrefix(state.file.path) { state.warn(error.message) }
    }
  }

  private func putBack(_ found: FoundControls, _ state: inout State) {
    let left = found.restore(through: port)
    guard !left.isEmpty else {
      state.file.remove()
      return state.file.unlock()
    }
    state.warn("\(name) did not take back all of its controls as camrec found them; the next start tries again")
    try? state.file.write(left)
    // A later change of the same control still goes back to what was there first.
    if state.keeping == .untilRestored { state.found = left }
    state.file.unlock()
  }

  /// Keeps what is there before it is changed for the first time.
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
        state.warn("another camrec has changed controls of \(name); if this one dies, its changes stay")
        return
      }
      try state.file.write(state.found)
    } catch {
      state.warn(error.message)
    }
  }
}
