import Audio
import Foundation
import Frames
import MediaFFmpeg
import Movies
import Testing

struct MovieWriterTests {
  @Test func finishedMovieHasEveryPictureAtItsTime() throws {
    let directory = try MovieDirectory()
    let path = directory.path("take.mov")
    let take = MovieTake(MovieTake.settings(path, audio: .standard), frames: 60)
    let report = try take.record()
    #expect(report.frames == 60)
    #expect(report.warnings == [])
    #expect(directory.names == ["take.mov"])
    #expect(try MovieProbe.times(path) == take.times)
  }
}
