import Audio
public import Frames

extension SoundHashes {
  /// Reads the text of a framemd5 file of one stream of PCM, in blocks of a tenth of a second.
  ///
  /// Times that are up to 20 ms beside their place, as Matroska's can be, are taken for it.
  ///
  /// - Parameter path: for what is said of it.
  /// - Throws: code `input`, with the line where there is one: the text is no such file, or breaks off; it is not of
  ///   sound, or of sound with other samples or blocks; the sound begins late, or has holes.
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
          "the block's time is \(entry.time), and its place \(place); where sound begins late or has holes, silence"
            + " fills them (ffmpeg -af aresample=async=1:first_pts=0,asetnsamples=n=\(blockLength):p=0)")
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
          line: said.line, "this says of no flash when its tone begins, as '#sync 0: 0.06 -1.25 ms' and '#sync 0: none' do")
      }
      self.sync = sync
    }
  }

  private static func head(_ file: FrameMD5Text) throws(CamrecError) -> (sampleRate: Int, sample: SampleFormat) {
    func said(_ name: String) throws(CamrecError) -> (line: Int, text: String) {
      guard let found = file.head[name] else {
        throw CamrecError(
          .input,
          "'\(file.path)' does not say its '#\(name)', and is no golden of sound (ffmpeg -map 0:a:0 -f framemd5)")
      }
      return found
    }
    let kind = try said("media_type")
    guard kind.text == "audio" else {
      throw file.refusal(line: kind.line, "this is a golden of \(kind.text), not of sound (ffmpeg -map 0:a:0)")
    }
    let codec = try said("codec_id")
    guard let sample = SampleFormat.allCases.first(where: { $0.codecName == codec.text }) else {
      throw file.refusal(
        line: codec.line,
        "its sound is \(codec.text), and goldens of sound are pcm_s16le or pcm_s32le (ffmpeg -c:a pcm_s16le)")
    }
    let rate = try said("sample_rate")
    guard let sampleRate = Int(rate.text), 1...Int(Int32.max) ~= sampleRate else {
      throw file.refusal(
        line: rate.line, "this is no sample rate; it is a number above 0, as in '#sample_rate 0: 48000'")
    }
    guard file.timeBase == Rational(1, Int64(sampleRate)) else {
      throw file.refusal(
        line: try said("tb").line, "it counts in \(file.timeBase) s, and a golden of this sound in 1/\(sampleRate) s")
    }
    return (sampleRate, sample)
  }

  /// Bytes of a sample frame. The file says them by its blocks' sizes; without a block, by the channels' name.
  private static func frameBytes(_ file: FrameMD5Text, _ sampleRate: Int, _ sample: SampleFormat) throws(CamrecError)
    -> Int
  {
    if let first = file.entries.first {
      let count = max(1, Int(first.duration))
      // What is no whole number is refused with its block.
      return max(1, first.size / count / sample.bytes) * sample.bytes
    }
    let layout = file.head["channel_layout_name"]?.text ?? ""
    guard let index = SoundHashes.layoutNames.firstIndex(of: layout) else {
      throw CamrecError(.input, "'\(file.path)' has no sound, and does not say how many channels that would have")
    }
    return (index + 1) * sample.bytes
  }
}
