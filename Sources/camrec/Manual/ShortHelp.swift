/// The short help of `camrec -h`: the options that a beginner needs, by task. `camrec --help` prints all.
enum ShortHelp {
  /// Whether a command line asks for it.
  ///
  /// - Parameter words: without the program's name.
  static func isAsked(_ words: [String]) -> Bool { words == ["-h"] || words == ["record", "-h"] }

  static let text = """
    camrec records a camera, bakes in a LUT or a look if you give one, and accounts for every frame.

      camrec [--camera CAMERA] [--lut FILE.cube] [--output PATH] [OPTION …]

    Picture
      --camera CAMERA        /dev/video0, sim (simulated) or clip:PATH; default: the first camera
      --size WxH             1280x720; default: the camera's largest, up to 1920x1080
      --fps RATE             24, 23.976 …; default: 24; if the camera lacks it, its highest up to 30
      --lut FILE.cube        the LUT to bake
    Exposure
      --shutter-angle DEG    default: 180; the ISO follows the light
      --ev EV                brighter or darker: +1/3, -1
    Audio
      --microphone NAME      hw:1, or none; default: the system's default microphone
    Film
      -o, --output PATH      a .mov or .mkv; may contain the time: take_%H-%M-%S.mov;
                             default: camrec_DATE_TIME.mov
      --codec CODEC          hevc, prores or ffv1; default: hevc
      --duration TIME        90s, 10m; default: until Ctrl-C

    Try it without a camera:   camrec --camera sim --duration 5s
    Before you record:         camrec devices (what is connected), camrec doctor (is this machine ready?),
                               camrec bench (how fast is it?)
    While you record:          space stops, ? lists the keys; in another terminal:
                               camrec ctl ev +1/3 (brighter), camrec status
    Films and clips:           camrec info, verify, recover, bake, compare, golden
    Looks and LUTs:            camrec look, lut
    Unattended:                camrec rig FILE.yaml

    camrec --help lists every command, camrec record --help every recording option, man camrec everything
    (if it is not installed: camrec manual | man -l -).
    """
}
