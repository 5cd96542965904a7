import CPhotos
import Frames
import Platform

/// The kinds of files that photographs are read from and written to.
public enum PhotoFormat: String, Hashable, Sendable, CaseIterable {
  case jpeg, png, tiff

  /// The format that a file's name means; `nil` for other endings than jpg, jpeg, png, tif and tiff.
  public init?(path: String) {
    switch PathText(path).kind.lowercased() {
    case "jpg", "jpeg": self = .jpeg
    case "png": self = .png
    case "tif", "tiff": self = .tiff
    default: return nil
    }
  }

  init(_ format: cp_format) {
    switch format {
    case CP_JPEG: self = .jpeg
    case CP_PNG: self = .png
    default: self = .tiff
    }
  }

  var number: cp_format {
    switch self {
    case .jpeg: CP_JPEG
    case .png: CP_PNG
    case .tiff: CP_TIFF
    }
  }
}
