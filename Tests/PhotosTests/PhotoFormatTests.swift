import Testing

import Photos

@Suite struct PhotoFormatTests {
  @Test func namesMeanFormats() {
    for name in ["a.jpg", "b.JPEG", "x/c.JpG"] { #expect(PhotoFormat(path: name) == .jpeg) }
    for name in ["a.tif", "b.TIFF"] { #expect(PhotoFormat(path: name) == .tiff) }
    #expect(PhotoFormat(path: "a.png") == .png)
    for name in ["a.heic", "png", ".png", "a.jpg.txt", ""] { #expect(PhotoFormat(path: name) == nil) }
  }
}
