/// What `camrec -h` says: the options that a beginner needs, by task. `camrec --help` has all.
enum ShortHelp {
  /// Whether a command line asks for it.
  ///
  /// - Parameter words: without the program's name.
  static func isAsked(_ words: [String]) -> Bool { words == ["-h"] || words == ["record", "-h"] }

  static let text = """
    camrec records a camera, with its look baked in and every frame accounted for.

      camrec [--camera CAMERA] [--lut FILE.cube] [--output PATH] [OPTION …]

    The picture
      --camera CAMERA        /dev/video0, sim (a simulated one) or clip:FILE; default: the first camera
      --size WxH             1920x1080; default: the camera's largest
      --fps RATE             24, 23.976, 30000/1001 …
      --lut FILE.cube        the look to bake in
    The exposure
      --shutter-angle DEG    default: 180; the ISO follows the light
      --ev EV                brighter or darker: +1/3, -1
    The sound
      --microphone NAME      hw:1, or none; default: the usual microphone
    The film
      -o, --output PATH      .mov or .mkv, with the time in its name: take_%H-%M-%S.mov
      --codec CODEC          hevc, prores or ffv1
      --duration TIME        90s, 10m; default: until Ctrl-C

    Try it without a camera:   camrec --camera sim --duration 5s
    Look before you record:    camrec devices     camrec doctor     camrec bench
    While it records:          space stops, ? lists the keys; camrec ctl ev +1/3     camrec status
    Films and clips:           camrec info, verify, recover, bake, compare, golden
    Unattended:                camrec rig FILE.yaml

    camrec --help lists every command, camrec record --help every option of a recording, man camrec everything.
    """
}
