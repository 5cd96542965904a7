import CVulkan
import Frames

/// The one place where results of the shim are checked.
enum VulkanCall {
  /// - Throws: code `device` with `message`; the cause is the failed call and the name of its result.
  static func check(_ status: cvk_status, _ message: @autoclosure () -> Sentence) throws(CamrecError) {
    guard status.result != 0 else { return }
    throw CamrecError(.device, about: .bakeOn, message(), cause: cause(status))
  }

  static func cause(_ status: cvk_status) -> String {
    let call = String(cString: status.call)
    switch status.result {
    case Int32(CVK_NO_LIBRARY):
      let text = String(cString: cvk_library_error())
      return text.isEmpty ? "\(call) is missing" : text
    default: return "\(call): \(String(cString: cvk_result_name(status.result)))"
    }
  }
}
