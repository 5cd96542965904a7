import Frames
import JPEGImages
import Kernels
import Recorder
import RecorderAPI

/// Keeps what the pictures that are asked for are made with, from frame to frame.
///
/// Thread: one.
struct PictureBench {
  /// One kind of picture: its maker, its encoder, and room for its image file.
  private struct Tools {
    let maker: PictureMaker
    let encoder: JPEGEncoder
    var room: [UInt8]
  }

  private var tools: [PictureVariant: Tools] = [:]
  /// Of graded frames, and of captured ones.
  private var measures: [Bool: FrameMeasures] = [:]

  /// - Parameter level: of the audio.
  mutating func make(
    _ kind: MonitorSubscription.Kind, _ facts: TappedFrame, _ frame: borrowing Frame, _ view: LiveView,
    _ flags: MonitorFlags, _ level: RecorderState.Level?
  ) throws(CamrecError) -> MonitorProduct {
    switch kind {
    case .picture(let variant): try picture(variant, facts, frame, view, flags)
    case .measures(let isGraded): try measure(isGraded, facts, frame, flags, level)
    }
  }

  /// Lets go of what nobody asks for any more.
  mutating func forget(except kinds: Set<MonitorSubscription.Kind>) {
    if tools.count + measures.count <= kinds.count { return }
    tools = tools.filter { kinds.contains(.picture($0.key)) }
    measures = measures.filter { kinds.contains(.measures(isGraded: $0.key)) }
  }

  private mutating func picture(
    _ variant: PictureVariant, _ facts: TappedFrame, _ frame: borrowing Frame, _ view: LiveView, _ flags: MonitorFlags
  ) throws(CamrecError) -> MonitorProduct {
    if tools[variant]?.maker.source != frame.format {
      tools[variant] = try PictureBench.tools(variant, frame.format, view)
    }
    guard var tools = tools.removeValue(forKey: variant) else { preconditionFailure("made just now") }
    let picture = try tools.maker.jpegFrame(of: frame)
    let count = try PictureBench.encode(picture, tools.encoder, into: &tools.room)
    var header = MonitorHeader(.picture, facts, MonitorColors(tools.maker.colors.shown), flags)
    header.width = UInt16(clamping: tools.maker.width)
    header.height = UInt16(clamping: tools.maker.height)
    let product = MonitorProduct(header, payload: Array(tools.room.prefix(count)))
    self.tools[variant] = tools
    return product
  }

  private static func tools(
    _ variant: PictureVariant, _ format: FrameFormat, _ view: LiveView
  ) throws(CamrecError) -> Tools {
    let maker = try PictureMaker(
      format, PictureMaker.Request(variant, view.rotation, changesColors: view.isGraded), frames: 1)
    return Tools(
      maker: maker, encoder: try JPEGEncoder(format: maker.jpegFormat, quality: variant.quality),
      room: [UInt8](repeating: 0, count: room(for: maker.jpegFormat)))
  }

  /// Bytes that an image file takes at most.
  static func room(for format: FrameFormat) -> Int { 2 * format.byteCount + (1 << 16) }

  static func encode(
    _ picture: borrowing Frame, _ encoder: JPEGEncoder, into room: inout [UInt8]
  ) throws(CamrecError) -> Int {
    let result = unsafe room.withUnsafeMutableBytes { target in
      Result { () throws(CamrecError) in try unsafe encoder.encode(picture, into: target) }
    }
    return try result.get()
  }

  private mutating func measure(
    _ isGraded: Bool, _ facts: TappedFrame, _ frame: borrowing Frame, _ flags: MonitorFlags,
    _ level: RecorderState.Level?
  ) throws(CamrecError) -> MonitorProduct {
    if measures[isGraded]?.source != frame.format { measures[isGraded] = try FrameMeasures(frame.format) }
    guard let measures = measures[isGraded] else { preconditionFailure("made just now") }
    let histogram = measures.histogram(of: frame)
    let payload = MeasuresPayload(
      bitDepth: frame.format.layout.bitDepth, luma: histogram.luma, red: histogram.red, green: histogram.green,
      blue: histogram.blue, levels: level.map { [MeasuresPayload.Level($0)] } ?? [])
    var header = MonitorHeader(.measures, facts, MonitorColors(frame.format.color), flags)
    header.width = UInt16(clamping: frame.format.width)
    header.height = UInt16(clamping: frame.format.height)
    return MonitorProduct(header, payload: payload.bytes)
  }
}
