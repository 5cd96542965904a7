/// The names of a sidecar's members. The first member of a record is its kind.
enum SidecarKey: String, CaseIterable {
  // MARK: Kinds
  case frame, lost, warning, note, setting, marker, repeated, continues, end, missing, recovered
  case sidecar = "camrec-sidecar"

  // MARK: Of a frame
  case ticks, sequence, exposureTime, shutterAngle, iso, gain, gainEV, whiteBalance, tint, focusDistance, meteredEV

  // MARK: Of the others
  case sample, count, seconds, value
  case software, film, camera, width, height, pixelFormat, rate, timeBase, colorIn, colorOut, lut, lutSHA256, look
  case lookVersion, grainSeed, grainFrame, grainSigma
  case bakedOn, codec, microphone, sampleRate, start, timecode, bakedFrom
  case recordingID, filmID, bakedFromID
  case expected, captured, written, deviceGap, deviceError, overload, disk, defect
  case frames, unlisted, silentSamples, missingSamples, unwritten
  case soundFrames, soundLost, ratePartsPerMillion, failure

  private static let spellings = allCases.map { (key: $0, bytes: Array($0.rawValue.utf8)) }

  /// The key that is spelled by `bytes`; `nil` for one that a later version has added.
  init?(_ bytes: ArraySlice<UInt8>) {
    for spelling in SidecarKey.spellings
    where spelling.bytes.count == bytes.count && bytes.elementsEqual(spelling.bytes) {
      self = spelling.key
      return
    }
    return nil
  }
}
