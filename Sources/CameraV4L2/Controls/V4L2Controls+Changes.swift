public import Cameras
public import Frames
import Synchronization

extension V4L2Controls {
  public func known(_ control: CameraControl) -> ControlValue? { state.withLock { $0.known[control] } }

  /// A caller who sets something meanwhile waits while one control is asked, not all of them.
  public func changes() throws(CamrecError) -> [ControlChange] {
    let (told, isFirst) = try told()
    var changes: [ControlChange] = []
    for control in CameraControl.allCases {
      let new = try state.withLock { (state) throws(CamrecError) -> ControlValue? in
        guard let value = try asked(control, told, all: isFirst, &state), value != state.known[control] else {
          return nil
        }
        state.known[control] = value
        return value
      }
      if let new, !isFirst { changes.append(ControlChange(control, new)) }
    }
    return changes
  }

  /// The driver's numbers of the controls that it reported as changed, and whether this is the first call.
  private func told() throws(CamrecError) -> (Set<UInt32>, isFirst: Bool) {
    try state.withLock { (state) throws(CamrecError) in
      let isFirst = state.watched == nil
      var told: Set<UInt32> = []
      do throws(V4L2CallError) {
        if isFirst { state.watched = try watch() }
        while let id = try port.nextChange() { told.insert(id) }
      } catch {
        throw error.explained(device: name)
      }
      return (told, isFirst)
    }
  }

  /// Subscribes to all controls; returns the driver's numbers of those whose changes it reports.
  private func watch() throws(V4L2CallError) -> Set<UInt32> {
    var watched: Set<UInt32> = []
    for id in Set(ControlMapping.all.map(\.id)) {
      do throws(V4L2CallError) {
        if try port.watch(id) { watched.insert(id) }
      } catch {
        if error.isGone { throw error }
      }
    }
    return watched
  }

  /// The value of a control that may have changed: one that the driver reported, one that it never reports, or one that
  /// changes by itself because it is volatile or an automatic rules it.
  private func asked(
    _ control: CameraControl, _ told: Set<UInt32>, all: Bool, _ state: inout State
  ) throws(CamrecError) -> ControlValue? {
    do throws(V4L2CallError) {
      guard let present = try find(control, &state) else { return nil }
      if case .mapped(let mapped) = present {
        let facts = mapped.facts
        let movesByItself = facts.isVolatile || facts.isInactive || state.watched?.contains(facts.id) != true
        guard all || movesByItself || told.contains(facts.id) else { return nil }
      }
      do throws(CamrecError) {
        return try value(of: present, &state)
      } catch {
        // One control that does not answer for a while must not stop the watch on the others.
        return nil
      }
    } catch {
      if error.isGone { throw error.explained(device: name) }
      return nil
    }
  }
}
