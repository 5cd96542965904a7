import Foundation
import Frames
import RecorderAPI

extension SidecarHead {
  /// Reads a sidecar's first line.
  ///
  /// - Parameter path: for messages.
  /// - Throws: code `input` for a later version, or if the line is damaged or cut off.
  init(line: ArraySlice<UInt8>, path: String) throws(CamrecError) {
    let damaged = CamrecError(
      .input, "cannot read '\(path)': its first line, which says what film it belongs to, is damaged or cut off")
    do {
      var fields = SidecarFields(line)
      guard let (name, value) = try fields.next(), SidecarKey(name) == .sidecar, let version = value.int else {
        throw damaged
      }
      guard version <= SidecarFile.version else {
        throw CamrecError(
          .input, "'\(path)' has version \(version), written by a later camrec; this one reads up to "
            + "version \(SidecarFile.version)")
      }
      let members = try SidecarMembers(&fields)
      guard let head = SidecarHead(members) else { throw damaged }
      self = head
    } catch let error as CamrecError {
      throw error
    } catch {
      throw damaged
    }
  }

  private init?(_ members: SidecarMembers) {
    guard let rate = members[.rate]?.text.flatMap(FrameRate.init(parsing:)),
      let timeBase = members[.timeBase]?.text.flatMap(SidecarHead.timeBase),
      let film = members[.film]?.text, let start = members[.start]?.text.flatMap(DateText.read),
      let width = members[.width]?.int, let height = members[.height]?.int
    else { return nil }
    func text(_ key: SidecarKey) -> String { members[key]?.text ?? "unknown" }
    let bakedOn = members[.bakedOn]?.text
    let look = members[.look]?.text.map { name in
      LookIdentity(
        name: name, version: Int(members[.lookVersion]?.int ?? 0),
        seed: UInt64(clamping: members[.grainSeed]?.int ?? 0),
        frame: members[.grainFrame]?.int.flatMap { $0 > 0 ? $0 : nil }, sigma: members[.grainSigma]?.double)
    }
    let identity = members[.recordingID]?.text.flatMap { recording in
      members[.filmID]?.text.flatMap { RecordingIdentity(recordingID: recording, filmID: $0) }
    }
    self.init(
      software: text(.software), film: film, camera: text(.camera), width: Int(width), height: Int(height),
      pixelFormat: text(.pixelFormat), frameRate: rate, timeBase: timeBase, colorIn: text(.colorIn),
      colorOut: text(.colorOut), lutTitle: members[.lut]?.text, lutSHA256: members[.lutSHA256]?.text, look: look,
      bakedOn: bakedOn == "cpu" ? nil : bakedOn, codec: text(.codec), microphone: members[.microphone]?.text,
      sampleRate: members[.sampleRate]?.int.flatMap { $0 > 0 ? Int($0) : nil }, start: start,
      timecode: members[.timecode]?.text, bakedFrom: members[.bakedFrom]?.text, identity: identity,
      bakedFromID: members[.bakedFromID]?.text.flatMap(UUID.init(uuidString:)))
  }

  /// Seconds per tick, small enough that products with a rate stay whole: `1/24000`.
  private static func timeBase(_ text: String) -> Rational? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int64($0) }
    guard (1...2).contains(parts.count), let numerator = parts[0], (1...Int64(Int32.max)).contains(numerator) else {
      return nil
    }
    guard parts.count == 2 else { return Rational(numerator) }
    guard let denominator = parts[1], (1...Int64(Int32.max)).contains(denominator) else { return nil }
    return Rational(numerator, denominator)
  }
}
