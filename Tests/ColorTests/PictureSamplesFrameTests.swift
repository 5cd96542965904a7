import Color
import Frames
import Testing

@Suite struct PictureSamplesFrameTests {
  @Test(arguments: PixelLayout.allCases) func `what was put into a frame is what is read out of it`(layout: PixelLayout)
  {
    for (width, height) in [(1, 1), (2, 2), (1, 8), (21, 13), (64, 2), (67, 3)] {
      let picture = PictureSamples.random(width, height, layout)
      let frame = picture.frame(layout, .rec709)
      let found = PictureSamples(frame)
      let isSame = found == picture
      #expect(isSame, "\(width)×\(height)")
      let luma = frame.packedLuma()
      #expect(luma == picture.luma.map { UInt8($0 >> (layout.bitDepth - 8)) }, "\(width)×\(height)")
    }
  }

  @Test(arguments: PixelLayout.allCases) func `the least and the greatest codes are read whole`(layout: PixelLayout) {
    let greatest = (1 << layout.bitDepth) - 1
    for codes in [[0, 0, 0], [greatest, 0, 1], [0, greatest, greatest - 1], [greatest, greatest, greatest]] {
      let picture = PictureSamples.flat(5, 3, layout, codes)
      let frame = picture.frame(layout, .rec709)
      let found = PictureSamples(frame)
      #expect(Set(found.luma) == [codes[0]] && Set(found.cb) == [codes[1]] && Set(found.cr) == [codes[2]], "\(codes)")
      #expect(found.chroma == layout.chroma && found.width == 5 && found.height == 3)
    }
  }
}
