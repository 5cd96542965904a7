import CKernels
public import Color

/// A table for photographs, in integers of 16 bits: RGB from 0 to 1, red fastest.
///
/// Thread: any number at once.
///
/// `@unchecked Sendable`: only the initializer writes `table`.
public final class RGBTable: @unchecked Sendable {
  private let memory: TableMemory<UInt16>
  let table: UnsafeMutablePointer<ck_rgb_table>

  /// Points per side, at most.
  public static let largest = 129

  /// Values below 0 and above 1 are held there.
  ///
  /// - Precondition: the lattice is for inputs from 0 to 1, and has at most `largest` points per side.
  public init(_ lattice: LookupTable.Lattice) {
    let size = lattice.size
    precondition(size <= Self.largest && lattice.domainMin == .zero && lattice.domainMax == .one, "such a lattice")
    memory = TableMemory(count: CK_RGB * (size * size * size + size * size + size + 1)) { elements in
      var at = 0
      for blue in 0..<size {
        for green in 0..<size {
          for red in 0..<size {
            let value = lattice.sample(red, green, blue).clamped(lowerBound: .zero, upperBound: .one) * 65535
            for channel in 0..<3 { elements[at + channel] = UInt16(value[channel].rounded()) }
            at += CK_RGB
          }
        }
      }
    }
    table = .allocate(capacity: 1)
    table.initialize(to: ck_rgb_table(points: UnsafePointer(memory.address), size: Int32(size)))
  }

  deinit { table.deallocate() }
}
