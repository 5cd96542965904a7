/// The keys of a rig file beside `cameras` and `defaults`.
enum RigKey: String, CaseIterable {
  /// The folder in which settings that are changed at run time are kept, or `none`.
  case settings
  /// The folder of the cameras' control sockets.
  case sockets
}
