import Foundation
public import Frames

/// The video nodes of this machine. Thread: any.
public enum V4L2Devices {
  /// Where nodes and the links that name cameras are looked for.
  package struct Folders: Sendable {
    package var nodes = "/dev"
    package var links = "/dev/v4l/by-id"

    package init(nodes: String = "/dev", links: String = "/dev/v4l/by-id") {
      self.nodes = nodes
      self.links = links
    }
  }

  /// Every camera, in the order of their numbers, with what it offers. A node that could not be asked is there too,
  /// with the reason.
  public static func list() -> [V4L2DeviceInfo] { list(in: Folders()) }

  /// The path of the first node that captures video.
  ///
  /// - Throws: code `device` where there is none: what was looked at, and what to do. Where the only nodes are
  ///   forbidden, it says that.
  public static func firstCapture() throws(CamrecError) -> String { try firstCapture(in: Folders()) }

  package static func list(in folders: Folders) -> [V4L2DeviceInfo] {
    nodes(in: folders.nodes).compactMap { path in
      var info: V4L2DeviceInfo
      do throws(CamrecError) {
        let device = try V4L2Device.open(path: path)
        guard device.capability.isCapture else { return nil }
        info = try device.explained { () throws(V4L2CallError) in try device.info() }
        info.problem = problem(of: device) ?? info.problem
      } catch {
        info = V4L2DeviceInfo(path: path, problem: error.message)
      }
      info.stablePath = stablePath(of: path, in: folders.links)
      return info
    }
  }

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
    let seen = paths.isEmpty ? "there is no \(folders.nodes)/video*" : "none of \(looked) captures"
    throw CamrecError(.device, "no camera found: \(seen); plug one in, or use --camera sim")
  }

  private static func problem(of device: V4L2Device) -> String? {
    do throws(CamrecError) {
      try device.refuseUnlessCamera()
      return nil
    } catch {
      return error.message
    }
  }

  /// `/dev/video0`, `/dev/video2`, `/dev/video10`: by number.
  private static func nodes(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let numbers = names.compactMap { $0.hasPrefix("video") ? Int($0.dropFirst("video".count)) : nil }
    return numbers.sorted().map { "\(folder)/video\($0)" }
  }

  private static func stablePath(of path: String, in folder: String) -> String? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    return names.sorted().map { "\(folder)/\($0)" }.first {
      URL(fileURLWithPath: $0).resolvingSymlinksInPath() == target
    }
  }
}
