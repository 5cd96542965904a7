public import Frames
public import Kernels

/// Where frames are baked.
public enum BakePlace: String, Hashable, Sendable, CaseIterable {
  case cpu
  case gpu
  /// Whichever is faster, measured once at the start.
  case auto
}

/// A processor beside the CPU that bakes: frames go in and come out in order, several of them underway at once.
///
/// Thread: one at a time. Neither call allocates.
public protocol BakeDevice: AnyObject, Sendable {
  /// As people know it.
  var name: String { get }
  /// Software on the CPU's own cores: never faster than the CPU's own kernels.
  var isSoftware: Bool { get }
  /// Frames that may be underway at once, at least 1.
  var depth: Int { get }

  /// Starts to bake `frame`; its samples are not needed after this returns.
  ///
  /// - Precondition: fewer than `depth` frames are underway.
  /// - Throws: code `defect` when more frames are out than the device was made for; anything else means that the
  ///   device is of no more use, and neither are the frames underway.
  func begin(_ frame: borrowing Frame) throws(CamrecError)

  /// Waits for the oldest frame underway.
  ///
  /// - Precondition: one is underway.
  /// - Throws: the device is of no more use, and neither are the frames underway.
  func finish() throws(CamrecError) -> Frame
}

/// Makes a device that bakes as `kernel` does, and lends at most `frames` baked frames at once.
///
/// Throws: code `device` where there is none, or none that can.
public typealias BakeDeviceMaker = (_ kernel: BakeKernel, _ frames: Int) throws(CamrecError) -> any BakeDevice
