import CPhotos
import Frames
import Platform

extension cp_failure {
  private var words: String {
    withUnsafeBytes(of: text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// - Parameter path: of the photograph that was read.
  func readError(_ path: String) -> CamrecError {
    let cause = words.isEmpty ? nil : words
    switch problem {
    case CP_NOT_OPENED:
      return CamrecError(.input, "'\(path)' cannot be opened", cause: SystemError.words(for: number))
    case CP_NO_PICTURE:
      return CamrecError(.input, "'\(path)' is not a JPEG, PNG or TIFF file; convert it to one of them")
    case CP_CMYK:
      return CamrecError(.input, "'\(path)' has the colours of a printer (CMYK); convert it to RGB")
    case CP_ANIMATED:
      return CamrecError(.input, "'\(path)' is animated; save one of its pictures by itself")
    case CP_TRANSPARENT:
      return CamrecError(
        .input, "'\(path)' has transparency, which a look does not keep; save it without an alpha channel")
    case CP_HDR:
      return CamrecError(.input, "'\(path)' is an HDR picture (PQ or HLG); convert it to sRGB or Display P3")
    case CP_DEPTH:
      return CamrecError(.input, "'\(path)' has \(number) bits per channel; save it with 8 or 16")
    case CP_KIND:
      return CamrecError(
        .input, "'\(path)' holds its pixels in a form that camrec does not read; save it as RGB with 8 or 16 bits",
        cause: cause)
    case CP_SIDE:
      return CamrecError(
        .input, "'\(path)' has \(words) pixels; a side may have up to \(CP_MAX_SIDE), so make it smaller")
    case CP_WHOLE:
      return CamrecError(
        .input, "'\(path)' is \(words) of over 1 GiB, which has to be in memory as a whole; save it in the plain form")
    case CP_BROKEN_PROFILE: return RGBProfile.broken(path, cause: cause)
    case CP_NO_MEMORY:
      return CamrecError(
        .input,
        "there is not enough memory for '\(path)'; free some, or save it in the plain form (not interlaced, not "
          + "progressive, without tiles)", cause: cause)
    default:
      return CamrecError(.input, "'\(path)' is damaged or cut off; take it from a copy", cause: cause)
    }
  }

  /// - Parameter path: of the photograph that was written.
  func writeError(_ path: String) -> CamrecError {
    if problem == CP_NO_MEMORY { return CamrecError(.defect, "there is no memory for '\(path)'") }
    let cause = [number != 0 ? SystemError.words(for: number) : nil, words.isEmpty ? nil : words].compactMap(\.self)
    return CamrecError(
      .output, "'\(path)' cannot be written", cause: cause.isEmpty ? nil : cause.joined(separator: "; "))
  }
}
