import Frames
import MediaFFmpeg
import Movies
import Verification

extension FilmCheck {
  /// Opens and checks a file.
  ///
  /// - Throws: code `input` for a file that is missing, cannot be read, or is not a .mov or .mp4 film.
  static func opening(_ path: String) throws(CamrecError) -> FilmCheck {
    let file = try NamedFile.open(path, "film")
    guard file.size > 0 else { throw CamrecError(.input, "'\(path)' is empty") }
    do throws(InputFile.ReadFailure) {
      if RecordingKind(try file.bytes(at: 0, count: RecordingKind.headBytes)) == .quickTime {
        var check = try FilmCheck(size: UInt64(file.size), streams: streams(path)) {
          (offset, count) throws(InputFile.ReadFailure) in try file.bytes(at: offset, count: count)
        }
        if PartialFilmName.isOne(PathText(path).name) { check.adviseBakingAgain() }
        return check
      }
    } catch { throw NamedFile.unread(path, error) }
    throw CamrecError(
      .input, "'\(path)' is not a .mov or .mp4 film: it does not begin with a QuickTime atom")
  }

  private static func streams(_ path: String) -> Result<[StreamFacts], CamrecError> {
    do throws(CamrecError) { return .success(try StreamSurvey.read(path)) } catch { return .failure(error) }
  }
}
