import Foundation

/// JPEGs that FFmpeg does not write, from libjpeg-turbo 2.1.5 with quality 90 and without subsampling: a slope in each
/// channel.
extension HandMade {
  /// 20 by 15 pixels, red 40 + 10 x, green 220 - 12 y, blue 100 + 3 x + 2 y, in ten scans.
  public static let progressiveJPEG = decoded(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYU
    GBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wgARCAAPABQD
    AREAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAABQYI/8QAFgEBAQEAAAAAAAAAAAAAAAAABgIF/9oADAMBAAIQAxAAAAFDOA0ksnpV52cFaOWT
    0q//xAAYEAADAQEAAAAAAAAAAAAAAAAAAwQCIf/aAAgBAQABBQJF4i8xfxFwi4xdz//EABcRAQEBAQAAAAAAAAAAAAAAAAQAAyL/2gAIAQMBAT8B
    ISISzJzELELZl5v/xAAVEQEBAAAAAAAAAAAAAAAAAAAAFP/aAAgBAgEBPwGRIkSpUr//xAAWEAEBAQAAAAAAAAAAAAAAAAAxACD/2gAIAQEABj8C
    ZnH/xAAYEAADAQEAAAAAAAAAAAAAAAAAASExEf/aAAgBAQABPyHMZiMOlY6Vjeaz/9oADAMBAAIAAwAAABCFiv8A/8QAGBEAAwEBAAAAAAAAAAAA
    AAAAAAEhMRH/2gAIAQMBAT8QwhhCSCIJgrg//8QAGBEBAQEBAQAAAAAAAAAAAAAAAAFhEXH/2gAIAQIBAT8QuVy8rKy5f//EABcQAAMBAAAAAAAA
    AAAAAAAAAAAg8eH/2gAIAQEAAT8QoFA0qMMGP//Z
    """)

  /// 20 by 15 pixels of grey, 40 + 10 x.
  public static let greyJPEG = decoded(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYU
    GBIUFRT/wAALCAAPABQBAREA/8QAFQABAQAAAAAAAAAAAAAAAAAACAn/xAAaEAABBQEAAAAAAAAAAAAAAAAAAwYHQ4E1/9oACAEBAAA/ADlElODV
    iSnBaNrkpEdokpwasSU4LRtclI//2Q==
    """)

  /// 8 by 8 pixels of four inks.
  public static let cmykJPEG = decoded(
    """
    /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4SEA0OEQ4LCxAWEBETFBUVFQwPFxgWFBgS
    FBUU/8AAFAgACAAIBEMRAE0RAFkRAEsRAP/EABYAAQEBAAAAAAAAAAAAAAAAAAgFCf/EAB0QAAECBwAAAAAAAAAAAAAAAAAFBxchMkNkgaH/2gAO
    BEMATQBZAEsAAD8AOTSWdCFjbkdIaIm0yM3z/9k=
    """)

  private static func decoded(_ text: String) -> [UInt8] {
    Array(Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
  }

  /// A JPEG with another number of pixels in its frame header.
  public static func resized(_ image: [UInt8], width: Int, height: Int) -> [UInt8] {
    var image = image
    let at = image.indices.dropLast().first { image[$0] == 0xFF && [0xC0, 0xC2].contains(image[$0 + 1]) }
    if let at { image.replaceSubrange(at + 5..<at + 9, with: big(height, 2) + big(width, 2)) }
    return image
  }
}
