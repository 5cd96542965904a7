package import Frames
import MediaFFmpeg
import Movies
import Platform
package import Verification

extension FilmCheck {
  /// Opens and checks a file.
  ///
  /// - Throws: code `input` for a file that is missing, cannot be read, or is not a .mov or .mp4 film; `output` for a
  ///   film that is being recorded or recovered, which only looks cut off.
  package static func opening(_ path: String) throws(CamrecError) -> FilmCheck {
    let file = try NamedFile.open(path, "film")
    let isInUse = file.lock() == .inUse
    // Whoever records, recovers or deletes does not wait for a check.
    file.unlock()
    var found: FilmCheck?
    do throws(InputFile.ReadFailure) {
      if RecordingKind(try file.bytes(at: 0, count: RecordingKind.headBytes)) == .quickTime {
        found = try FilmCheck(size: UInt64(file.size), streams: streams(path)) {
          (offset, count) throws(InputFile.ReadFailure) in try file.bytes(at: offset, count: count)
        }
      }
    } catch { throw NamedFile.unread(path, error) }
    // A film that is complete may keep its lock for a moment.
    if isInUse, found?.isUnfinished ?? true {
      throw CamrecError(
        .output, "'\(path)' is being recorded or recovered right now; verify it when that has ended")
    }
    guard file.size > 0 else { throw CamrecError(.input, "'\(path)' is empty") }
    guard var check = found else {
      throw CamrecError(
        .input, "'\(path)' is not a .mov or .mp4 film: it does not begin with a QuickTime atom")
    }
    if PartialFilmName.isOne(PathText(path).name) { check.adviseBakingAgain() }
    return check
  }

  private static func streams(_ path: String) -> Result<[StreamFacts], CamrecError> {
    do throws(CamrecError) { return .success(try StreamSurvey.read(path)) } catch { return .failure(error) }
  }
}
