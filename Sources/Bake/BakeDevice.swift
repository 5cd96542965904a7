public import Frames
public import Kernels

/// Where frames are baked.
public enum BakePlace: String, Hashable, Sendable, Codable, CaseIterable {
  case cpu
  case gpu
  /// Whichever is faster, measured once at the start.
  case auto
}

/// A processor other than the CPU that bakes: frames come out in the order in which they went in, and several may be
/// underway at once.
///
/// Thread: one at a time. Neither call allocates.
public protocol BakeDevice: AnyObject, Sendable {
  /// The name that people know.
  var name: String { get }
  /// Whether it is software on the CPU's own cores, which is never faster than the CPU's own kernels.
  var isSoftware: Bool { get }
  /// Frames that may be underway at once, at least 1.
  var depth: Int { get }

  /// Starts to bake `frame`; its samples are not needed after this returns.
  ///
  /// - Precondition: fewer than `depth` frames are underway.
  /// - Throws: code `defect` if more frames are lent than the device was made for. After any other error, the device
  ///   and the frames underway are unusable.
  func begin(_ frame: borrowing Frame) throws(CamrecError)

  /// Waits for the oldest frame underway.
  ///
  /// - Precondition: a frame is underway.
  /// - Throws: after any error, the device and the frames underway are unusable.
  func finish() throws(CamrecError) -> Frame
}

/// Makes a device that bakes as `kernel` does, and lends at most `frames` baked frames at once.
///
/// Throws: code `device` if there is no suitable device.
public typealias BakeDeviceMaker = (_ kernel: BakeKernel, _ frames: Int) throws(CamrecError) -> any BakeDevice
