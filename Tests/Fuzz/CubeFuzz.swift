import Color
import Frames

/// What libFuzzer calls with every input: a .cube file is read as a whole table or refused with its name.
///
/// A table that was read is looked at, written, and read again: what `lut info`, a bake and `lut convert` do with it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCube(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let table: LookupTable
  do {
    table = try LookupTable(cube: bytes, name: "x.cube")
  } catch {
    precondition(error.code == .input && error.message.hasPrefix("x.cube"), "refused with “\(error.message)”")
    return 0
  }
  let samples = (table.curves?.samples ?? []) + (table.lattice?.samples ?? [])
  precondition(samples.allSatisfy(\.isFinite), "a sample is not finite")
  precondition(table.facts.neutralSpread.isFinite, "a neutral is not finite")
  do {
    let again = try LookupTable(cube: table.cubeFile(), name: "again.cube")
    precondition(again.curves?.size == table.curves?.size && again.lattice?.size == table.lattice?.size, "resized")
    precondition(again.title == table.title && again.warnings == [], "“\(table.title ?? "")”: \(again.warnings)")
  } catch {
    preconditionFailure("what was written cannot be read: \(error.message)")
  }
  return 0
}
