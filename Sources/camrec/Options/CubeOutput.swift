import ArgumentParser
import Assembly
import Frames
import Platform

/// The .cube file that a command writes.
struct CubeOutput: ParsableArguments {
  @Flag(help: "Replace an existing file.")
  var overwrite = false

  @Argument(help: ArgumentHelp("The file to write.", valueName: "OUT.cube"), completion: .file(extensions: ["cube"]))
  var path: String

  func validate() throws {
    guard PathText(path).kind.lowercased() == "cube" else {
      throw ValidationError("this command writes a .cube file; choose a name that ends in .cube, not '\(path)'")
    }
  }

  func write(_ bytes: [UInt8]) throws { try NewFile.write(bytes, to: path, overwrite: overwrite) }
}

/// Points per side of a table.
enum TableSize {
  static func help(byDefault size: String) -> ArgumentHelp {
    ArgumentHelp("Points per side, 2 to 256. Default: \(size).", valueName: "N")
  }

  static func parse(_ text: String) throws -> Int {
    try WholeNumber.parse(text, "the number of points is", in: 2...256)
  }
}
