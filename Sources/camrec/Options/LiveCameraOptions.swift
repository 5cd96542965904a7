import ArgumentParser
import Assembly

/// A camera whose settings camrec changes (not a clip), and the mode to request from it.
struct LiveCameraOptions: ParsableArguments {
  @OptionGroup var address: ControlsCameraOption
  @OptionGroup var mode: ModeOptions

  var settings: SourceSettings { mode.settings(of: address.camera) }
}
