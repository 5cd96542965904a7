package import Frames
package import Platform

extension SocketCall.Failure {
  /// Why no recorder can be reached at a socket.
  ///
  /// - Parameters:
  ///   - name: what the socket is: `control socket`.
  ///   - field: the setting that names it, if one does.
  package func refusal(at path: String, of name: String, about field: SettingName? = nil) -> CamrecError {
    let sentence =
      if isForbidden {
        "you may not connect to the \(name) '\(path)'; its owner and the members of its group may"
      } else if isWait {
        "the recorder at '\(path)' accepts no connection; look at 'camrec status'"
      } else {
        "no recorder answers at '\(path)'; start one, or name the \(name) of a running one"
      }
    return CamrecError(.device, about: field, Sentence(text: sentence), cause: description)
  }
}
