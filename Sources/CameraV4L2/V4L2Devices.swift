package import Cameras
import Foundation
package import Frames
import Platform

/// The video nodes of this machine. Thread: any.
package enum V4L2Devices {
  /// The folders to search for nodes and for the links that name cameras.
  package struct Folders: Sendable {
    package var nodes = "/dev"
    package var links = "/dev/v4l/by-id"
    package var system = "/sys"

    package init(nodes: String = "/dev", links: String = "/dev/v4l/by-id", system: String = "/sys") {
      self.nodes = nodes
      self.links = links
      self.system = system
    }
  }

  /// Every camera in the order of the nodes' numbers, with its modes and controls. A node that could not be asked is
  /// included, with the reason.
  package static func list(in folders: Folders) -> [CameraListing] {
    nodes(in: folders.nodes).compactMap { path in
      var info: CameraListing
      do throws(CamrecError) {
        let device = try V4L2Device.open(path: path)
        guard device.capability.isCapture else { return nil }
        info = try device.explained { () throws(V4L2CallError) in try device.info() }
        info.problem = problem(of: device) ?? info.problem
      } catch {
        info = CameraListing(path: path, problem: error.message)
      }
      info.stablePath = stablePath(of: path, in: folders.links)
      return info
    }
  }

  /// The path of the first node that captures video.
  ///
  /// - Throws: code `device` if there is none, with the nodes that were tried and what to do. If permission was denied
  ///   for all of them, the message says so.
  package static func firstCapture(in folders: Folders) throws(CamrecError) -> String {
    let paths = nodes(in: folders.nodes)
    var refusal: CamrecError?
    for path in paths {
      do throws(CamrecError) {
        if try V4L2Device.open(path: path).capability.isCapture { return path }
      } catch {
        refusal = refusal ?? error
      }
    }
    if let refusal { throw refusal }
    let looked = paths.joined(separator: ", ")
    let seen = paths.isEmpty ? "there is no \(folders.nodes)/video*" : "none of \(looked) captures video"
    throw CamrecError(
      .device, about: .camera, "no camera found: \(seen); plug one in, or use \(setting: .camera) sim",
      reason: .noDevice)
  }

  /// The key that identifies the camera at a node when it comes back.
  ///
  /// - Throws: code `device` if it cannot be opened.
  package static func key(of path: String, in folders: Folders) throws(CamrecError) -> CameraKey {
    let device = try V4L2Device.open(path: path)
    return CameraKey(identity: device.identity(system: folders.system), port: device.capability.bus)
  }

  /// The present path of a camera, whatever its node's number; `nil` while it is not connected. Of several with the
  /// same serial number, it is the one in the same port.
  package static func path(of key: CameraKey, in folders: Folders) -> String? {
    let found = nodes(in: folders.nodes).compactMap { path in
      (try? self.key(of: path, in: folders)).map { (path: path, key: $0) }
    }.filter { $0.key.identity == key.identity }
    if let same = found.first(where: { $0.key.port == key.port }) { return same.path }
    return found.count == 1 ? found[0].path : nil
  }

  private static func problem(of device: V4L2Device) -> String? {
    do throws(CamrecError) {
      try device.refuseUnlessCamera()
      return nil
    } catch {
      return error.message
    }
  }

  /// The nodes in numerical order: `/dev/video0`, `/dev/video2`, `/dev/video10`.
  private static func nodes(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let numbers = names.compactMap { $0.hasPrefix("video") ? Int($0.dropFirst("video".count)) : nil }
    return numbers.sorted().map { "\(folder)/video\($0)" }
  }

  private static func stablePath(of path: String, in folder: String) -> String? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let target = PathText(path).resolved
    return names.sorted().map { "\(folder)/\($0)" }.first {
      PathText($0).resolved == target
    }
  }
}
