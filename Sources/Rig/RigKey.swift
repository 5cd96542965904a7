/// The keys of a rig file besides `cameras` and `defaults`.
package enum RigKey: String, CaseIterable {
  /// The folder that keeps settings changed at run time, or `none`.
  case settings
  /// The folder of the cameras' control sockets.
  case sockets
}
