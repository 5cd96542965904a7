import Audio
public import Frames

extension SoundHashes {
  /// Reads the text of a framemd5 file of one stream of PCM, in blocks of a tenth of a second.
  ///
  /// Accepts times up to 20 ms off, as in Matroska.
  ///
  /// - Parameter path: for error messages.
  /// - Throws: code `input`, with the line if there is one: the text is not such a file, or is cut off; it is not of
  ///   audio, or of audio with other samples or blocks; the audio begins late, or has gaps.
  public init(text: String, path: String) throws(CamrecError) {
    let file = try FrameMD5Text(text, path: path, noun: "block")
    let (sampleRate, sample) = try SoundHashes.head(file)
    let frameBytes = try SoundHashes.frameBytes(file, sampleRate, sample)
    let channels = frameBytes / sample.bytes
    let blockLength = SoundHashes.blockLength(sampleRate: sampleRate)
    var blocks: [Block] = []
    for entry in file.entries {
      let place = Int64(blocks.count) * Int64(blockLength)
      let isLast = entry.line == file.entries.last?.line
      guard entry.duration == blockLength || isLast && 1..<blockLength ~= Int(entry.duration) else {
        throw file.refusal(
          line: entry.line,
          "the block has \(entry.duration) samples, not the \(blockLength) of a tenth of a second"
            + " (ffmpeg -af asetnsamples=n=\(blockLength):p=0)")
      }
      let (size, isTooLarge) = Int(entry.duration).multipliedReportingOverflow(by: frameBytes)
      guard !isTooLarge, entry.size == size else {
        throw file.refusal(
          line: entry.line,
          "the block has \(entry.size) bytes, which are not \(entry.duration) samples of \(channels)"
            + " channel\(channels == 1 ? "" : "s") in \(8 * sample.bytes) bits")
      }
      guard abs(entry.time - place) <= Int64(sampleRate / 50) else {
        throw file.refusal(
          line: entry.line,
          "the block's time is \(entry.time), not \(place); fill a late beginning and gaps with silence"
            + " (ffmpeg -af aresample=async=1:first_pts=0,asetnsamples=n=\(blockLength):p=0)")
      }
      blocks.append(Block(start: place, count: Int(entry.duration), hash: entry.hash))
    }
    self.init(
      format: AudioFormat(sampleRate: sampleRate, channels: channels, sample: sample),
      layout: file.head["channel_layout_name"]?.text ?? SoundHashes.layoutName(channels: channels), blocks: blocks)
    loudness = file.head["loudness"].flatMap { Double($0.text.prefix { $0 != " " }) }
    if let said = file.head["sync"] {
      guard let sync = SoundSync(text: said.text) else {
        throw file.refusal(
          line: said.line, "this is not a list of tone delays; write '#sync 0: 0.06 -1.25 ms' or '#sync 0: none'")
      }
      self.sync = sync
    }
  }

  private static func head(_ file: FrameMD5Text) throws(CamrecError) -> (sampleRate: Int, sample: SampleFormat) {
    func said(_ name: String) throws(CamrecError) -> (line: Int, text: String) {
      guard let found = file.head[name] else {
        throw CamrecError(
          .input,
          "'\(file.path)' has no line '#\(name)', so it is not a golden of audio (ffmpeg -map 0:a:0 -f framemd5)")
      }
      return found
    }
    let kind = try said("media_type")
    guard kind.text == "audio" else {
      throw file.refusal(line: kind.line, "this is a golden of \(kind.text), not of audio (ffmpeg -map 0:a:0)")
    }
    let codec = try said("codec_id")
    guard let sample = SampleFormat.allCases.first(where: { $0.codecName == codec.text }) else {
      throw file.refusal(
        line: codec.line,
        "its audio is \(codec.text); a golden's is pcm_s16le or pcm_s32le (ffmpeg -c:a pcm_s16le)")
    }
    let rate = try said("sample_rate")
    guard let sampleRate = Int(rate.text), 1...Int(Int32.max) ~= sampleRate else {
      throw file.refusal(
        line: rate.line, "this is not a sample rate; write a whole number above 0, as in '#sample_rate 0: 48000'")
    }
    guard file.timeBase == Rational(1, Int64(sampleRate)) else {
      throw file.refusal(
        line: try said("tb").line, "its time base is \(file.timeBase) s; this audio needs 1/\(sampleRate) s")
    }
    return (sampleRate, sample)
  }

  /// Bytes of a sample frame, from the blocks' sizes; without a block, from the name of the channel layout.
  private static func frameBytes(_ file: FrameMD5Text, _ sampleRate: Int, _ sample: SampleFormat) throws(CamrecError)
    -> Int
  {
    if let first = file.entries.first {
      let count = max(1, Int(first.duration))
      // A number that is not whole is refused with its block.
      return max(1, first.size / count / sample.bytes) * sample.bytes
    }
    let layout = file.head["channel_layout_name"]?.text ?? ""
    guard let index = SoundHashes.layoutNames.firstIndex(of: layout) else {
      throw CamrecError(.input, "'\(file.path)' has no audio and no known channel layout")
    }
    return (index + 1) * sample.bytes
  }
}
