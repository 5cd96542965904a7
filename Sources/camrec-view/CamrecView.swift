import Foundation
import Frames
import JPEGDecoding
import Platform
import Viewfinder
import ViewfinderWindow

/// `camrec-view`, which `camrec view` starts: a window with what running recorders see.
@main
struct CamrecView {
  private static let help = """
    camrec-view is the window of 'camrec view'; 'camrec view --help' explains it.

    camrec-view [--name NAME | --monitor PATH] [--size WIDTHxHEIGHT] [--full-screen] [--ungraded] [--wait]
                [--measure SECONDS]
    """

  static func main() {
    do throws(CamrecError) {
      let arguments = try ViewArguments(words: Array(CommandLine.arguments.dropFirst()))
      guard !arguments.wantsHelp else { return print(help) }
      try ViewLoop.run(arguments)
    } catch {
      FileHandle.standardError.write(Data("Error: \(VisibleText.line(error.description))\n".utf8))
      exit(status(of: error.code))
    }
  }

  /// As the statuses of camrec.
  private static func status(of code: CamrecError.Code) -> Int32 {
    switch code {
    case .usage: 64
    case .input: 65
    case .device: 69
    case .overload: 3
    case .defect: 70
    case .output: 74
    case .interrupted: 130
    }
  }
}

/// `JPEGDecoder` for recorders' pictures.
final class TurboDecoder: PictureDecoder {
  private let decoder: JPEGDecoder

  init() throws(CamrecError) { decoder = try JPEGDecoder() }

  func decode(_ image: [UInt8], into pixels: inout [UInt8]) throws(CamrecError) -> (width: Int, height: Int) {
    try decoder.decode(image, into: &pixels)
  }
}
