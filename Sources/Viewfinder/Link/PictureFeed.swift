public import Frames
public import RecorderAPI
public import RecorderRemote

/// Where pictures and measures come from: a monitor.
///
/// Thread: any.
public protocol PictureFeed: AnyObject, Sendable {
  func subscribe(_ number: UInt32, to request: PictureRequest) throws(CamrecError)
  func subscribe(_ number: UInt32, to request: MeasuresRequest) throws(CamrecError)
  func end(_ subscription: UInt32) throws(CamrecError)
  /// - Returns: `nil` if nothing has come in that time.
  func next(within seconds: Double) throws(CamrecError) -> MonitorMessage?
  func used(_ message: MonitorMessage)
  func close()
}

extension MonitorClient: PictureFeed {
  public func subscribe(_ number: UInt32, to request: PictureRequest) throws(CamrecError) {
    try pictures(request, subscription: number)
  }

  public func subscribe(_ number: UInt32, to request: MeasuresRequest) throws(CamrecError) {
    try measures(request, subscription: number)
  }
}
