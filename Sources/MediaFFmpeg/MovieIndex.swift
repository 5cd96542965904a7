import CFFmpeg
import Foundation
import Frames
import Glibc
import Movies

/// Rewrites a fragmented .mov as an ordinary one with an index: the same packets and times, in a new file beside it
/// that has no name until it takes this one's. Until then the fragmented file stays as it is.
struct MovieIndex {
  let settings: MovieSettings
  let encoder: String
  /// Presentation times of the first and the last picture, and when the last one ends.
  let firstTime: Int64
  let lastTime: Int64
  let endTime: Int64

  /// - Returns: bytes of the new file.
  /// - Throws: `CamrecError` of code `output` whose sentence says why the file stays in fragments; it plays.
  func rewrite(size: Int64) throws(CamrecError) -> Int64 {
    guard endTime - firstTime <= settings.longestIndexed else {
      throw refusal("with a timecode an index reaches over \(settings.hoursIndexed) at most", nil)
    }
    let path = MovieFile.resolved(settings.path)
    if let free = MovieFile.freeSpace(beside: path), free < size + size / 64 + (1 << 20) {
      throw refusal("an index needs a copy of \(ByteCount(size)), and \(ByteCount(free)) are free", nil)
    }
    let file: MovieFile
    do {
      file = try MovieFile(temporaryIn: MovieFile.directory(of: path))
    } catch {
      throw refusal("no copy can be made beside it", error.cause)
    }
    do throws(LibavError) {
      try copyPackets(from: path, to: file)
      try file.synchronize()
      try file.take(nameOf: path)
    } catch {
      file.discard()
      throw refusal("making its index failed", error.cause)
    }
    return file.size
  }

  private func refusal(_ reason: String, _ cause: String?) -> CamrecError {
    CamrecError(.output, "'\(settings.path)' is complete and plays, but stays in fragments: \(reason)", cause: cause)
  }

  private func copyPackets(from path: String, to file: MovieFile) throws(LibavError) {
    var opened: UnsafeMutablePointer<AVFormatContext>?
    // "file:" keeps a colon in the path from being read as a protocol.
    try LibavCall.check(
      avformat_open_input(&opened, "file:" + path, av_find_input_format("mov"), nil), "avformat_open_input")
    defer { avformat_close_input(&opened) }
    let input = try LibavCall.unwrap(opened, "avformat_open_input")
    let picture = try LibavCall.check(
      av_find_best_stream(input, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0), "av_find_best_stream")
    let sound = av_find_best_stream(input, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
    guard let stream = input.pointee.streams[Int(picture)], let parameters = stream.pointee.codecpar else {
      throw LibavError(function: "av_find_best_stream", code: CFFmpeg_errorInvalidData)
    }
    let muxer = try MovieMuxer(settings, file: file, picture: parameters, encoder: encoder, fragmented: false)
    let timeline = try MovieTimeline(fragmented: false)
    timeline.add(pictureAt: firstTime)
    timeline.add(pictureAt: lastTime)
    timeline.end(at: endTime)
    while try LibavCall.outcome(av_read_frame(input, timeline.incoming), "av_read_frame") == .done {
      let packet = timeline.incoming
      switch packet.pointee.stream_index {
      case picture:
        av_packet_rescale_ts(packet, stream.pointee.time_base, AVRational(settings.timeBase))
        if let complete = timeline.advance() { try muxer.writePicture(complete) }
      case sound:
        try muxer.writeSound(packet)
      default: break
      }
      av_packet_unref(timeline.incoming)
    }
    if let packet = timeline.last() { try muxer.writePicture(packet) }
    try muxer.end()
  }
}
