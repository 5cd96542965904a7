import Glibc

/// What camrec found before it changed something, in the driver's own numbers: what is put back.
package struct FoundControls: Codable, Hashable, Sendable {
  package struct Value: Codable, Hashable, Sendable {
    package var id: UInt32
    package var value: Int64

    package init(id: UInt32, value: Int64) {
      self.id = id
      self.value = value
    }
  }

  /// In the order in which they were changed first.
  package var values: [Value] = []
  package var crop: CropArea?

  package init(values: [Value] = [], crop: CropArea? = nil) {
    self.values = values
    self.crop = crop
  }

  package var isEmpty: Bool { values.isEmpty && crop == nil }

  package func contains(_ id: UInt32) -> Bool { values.contains { $0.id == id } }

  /// Puts everything back, the last change first: what automatics rule while they are still off, then the automatics,
  /// then once more what was refused, for it may have been found with its automatic off.
  ///
  /// - Returns: what the camera did not take back; nothing of what an automatic rules again.
  package func restore(through port: some ControlPort) -> FoundControls {
    var left = FoundControls()
    if let crop, !FoundControls.putBack(crop, port) { left.crop = crop }
    let rulers = values.reversed().filter { ControlMapping.rulers.contains($0.id) }
    let ruled = values.reversed().filter { !ControlMapping.rulers.contains($0.id) }
    let refused = ruled.filter { FoundControls.putBack($0, port) != nil }
    let kept = rulers.filter { FoundControls.putBack($0, port) != nil }
    // What is refused with EACCES now was found so, and its automatic has it.
    let lost = refused.filter { value in FoundControls.putBack(value, port).map { $0 != EACCES } ?? false }
    left.values = (lost + kept).reversed()
    return left
  }

  /// The error number where the camera refused, else `nil`.
  private static func putBack(_ found: Value, _ port: some ControlPort) -> Int32? {
    do throws(V4L2CallError) {
      guard let facts = try port.facts(of: found.id) else { return nil }
      // Not written where it stands already: lenses and motors move, and some cameras store what is written.
      let isThere = try? port.value(of: facts) == found.value
      if isThere != true { try port.set(facts, to: found.value) }
      return nil
    } catch {
      return error.number
    }
  }

  private static func putBack(_ area: CropArea, _ port: some ControlPort) -> Bool {
    do throws(V4L2CallError) {
      guard let areas = try port.crop(), areas.current != area else { return true }
      _ = try port.setCrop(area)
      return true
    } catch {
      return false
    }
  }
}
