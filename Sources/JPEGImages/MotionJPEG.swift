public import Frames

/// A camera's own JPEG image (Motion JPEG) as a file that every program reads.
public enum MotionJPEG {
  /// The image without what surrounds it, and with the standard's Huffman tables where it has none of its own, as most
  /// webcams' images. Samples and other segments stay as they are, but for EXIF of the camera's own: a file has one.
  ///
  /// Errors within the compressed samples are not looked for: only a decoder sees them.
  ///
  /// - Throws: code `device` if it is no JPEG or ends too early. Such an image may still be decoded, and encoded anew.
  public static func file(from image: [UInt8]) throws(CamrecError) -> [UInt8] {
    guard let file = image.withUnsafeBufferPointer(rewritten) else {
      throw CamrecError(.device, "the camera delivered a JPEG image that is broken or cut off")
    }
    return file
  }

  private static func rewritten(_ image: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard image.starts(with: [0xFF, JPEGMarker.start]) else { return nil }
    var file: [UInt8] = []
    file.reserveCapacity(image.count + 512)
    file += [0xFF, JPEGMarker.start]
    var tables = HuffmanTables(), isSequential = false, hasScan = false, place = 2
    while let (marker, behind) = nextMarker(image, from: place) {
      // The start of another image: the end of this one is missing.
      if marker == JPEGMarker.start { return nil }
      if marker == JPEGMarker.end { return hasScan ? file + [0xFF, JPEGMarker.end] : nil }
      place = behind
      if JPEGMarker.standsAlone(marker) { continue }
      guard let content = content(image, at: behind) else { return nil }
      place = content.endIndex
      switch marker {
      case JPEGMarker.application1 where content.starts(with: "Exif\0".utf8): continue
      case JPEGMarker.huffmanTables:
        guard tables.add(content) else { return nil }
      case JPEGMarker.scan:
        if isSequential {
          guard let missing = tables.complete(forScan: content) else { return nil }
          file += missing
        }
        hasScan = true
        place = endOfSamples(image, from: place)
      default:
        if JPEGMarker.sequentialFrames.contains(marker) { isSequential = true }
      }
      file += [0xFF, marker]
      file += UnsafeBufferPointer(rebasing: image[behind..<place])
    }
    return nil
  }

  /// The next marker at `place` or behind it, past fill bytes and garbage, and the place behind it; `nil` if there is
  /// none.
  private static func nextMarker(_ image: UnsafeBufferPointer<UInt8>, from place: Int) -> (UInt8, Int)? {
    var place = place
    while place + 1 < image.count {
      let isMarker = image[place] == 0xFF && image[place + 1] != 0 && image[place + 1] != 0xFF
      if isMarker { return (image[place + 1], place + 2) }
      place += 1
    }
    return nil
  }

  /// What follows the length of the segment whose length is at `place`; `nil` if it goes beyond the image.
  private static func content(_ image: UnsafeBufferPointer<UInt8>, at place: Int) -> Slice<UnsafeBufferPointer<UInt8>>?
  {
    guard place + 2 <= image.count else { return nil }
    let length = Int(image[place]) << 8 | Int(image[place + 1])
    guard length >= 2, place + length <= image.count else { return nil }
    return image[place + 2..<place + length]
  }

  /// The place of the first marker behind the compressed samples, which may have restart markers among them.
  private static func endOfSamples(_ image: UnsafeBufferPointer<UInt8>, from place: Int) -> Int {
    var place = place
    while let (marker, behind) = nextMarker(image, from: place) {
      if !JPEGMarker.restarts.contains(marker) { return behind - 2 }
      place = behind
    }
    return image.count
  }
}
