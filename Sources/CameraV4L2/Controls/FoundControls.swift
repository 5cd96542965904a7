import Glibc

/// The values that camrec found before it changed them, in the driver's own numbers, to put back later.
package struct FoundControls: Codable, Hashable, Sendable {
  package struct Value: Codable, Hashable, Sendable {
    package var id: UInt32
    package var value: Int64

    package init(id: UInt32, value: Int64) {
      self.id = id
      self.value = value
    }
  }

  /// In the order in which they were first changed.
  package var values: [Value] = []
  package var crop: CropArea?

  package init(values: [Value] = [], crop: CropArea? = nil) {
    self.values = values
    self.crop = crop
  }

  package var isEmpty: Bool { values.isEmpty && crop == nil }

  package func contains(_ id: UInt32) -> Bool { values.contains { $0.id == id } }

  /// Puts everything back, the last change first: ruled controls while their automatics are still off, then the
  /// automatics, then refused values once more, because their automatic may have been found off.
  ///
  /// - Returns: the values that the camera did not accept, without those that an automatic rules again.
  package func restore(through port: some ControlPort) -> FoundControls {
    var left = FoundControls()
    if let crop, !FoundControls.putBack(crop, port) { left.crop = crop }
    let rulers = values.reversed().filter { ControlMapping.rulers.contains($0.id) }
    let ruled = values.reversed().filter { !ControlMapping.rulers.contains($0.id) }
    let refused = ruled.filter { FoundControls.putBack($0, port) != nil }
    let kept = rulers.filter { FoundControls.putBack($0, port) != nil }
    // A control that now refuses with EACCES was found ruled by its automatic.
    let lost = refused.filter { value in FoundControls.putBack(value, port).map { $0 != EACCES } ?? false }
    left.values = (lost + kept).reversed()
    return left
  }

  /// The error number if the camera refused, else `nil`.
  private static func putBack(_ found: Value, _ port: some ControlPort) -> Int32? {
    do throws(V4L2CallError) {
      guard let facts = try port.facts(of: found.id) else { return nil }
      // Skipped if the value is right already: lenses and motors move, and some cameras store every written value.
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
