import Frames
import Movies
import Platform
import RecorderAPI
import Sidecar
import Synchronization

/// What the threads of one session tell each other.
final class SessionState: Sendable {
  private struct Values {
    var limit: RecordingLimit?
    var begin: MonotonicTime?
    var failure: CamrecError?
    /// Somebody has ended the film.
    var isEnded = false
    var hasCameraFinished = false
    var cameraError: CamrecError?
    /// The sidecar says who.
    var isStopNoted = false
    var cameraLoss: CameraLoss?
    var silentSince: MonotonicTime?
    /// If the camera goes away, another film follows.
    var awaitsCamera = false
    /// The film continues another one.
    var isContinuation = false
    /// Why the output takes nothing more.
    var refusal: OutputRefusal?
    /// What that leaves of a file, that file's number, and the frames that it lacks if another file follows it.
    var left: (fault: OutputFault, number: Int, lost: Int?)?
    /// Frames that files lack which other files follow.
    var lostInParted = 0
    /// One for each reason, made at once: a loss allocates nothing.
    var losses = LossReason.allCases.map { SessionLoss($0) }
    /// The same of a pre-roll, before there is a film.
    var preRollLosses = LossReason.allCases.map { SessionLoss($0) }
    /// Frames lost to the disk without a pause as long as a refusal's reach, and not yet reported; and when the last of
    /// them was lost.
    var diskRun: (count: Int64, end: MonotonicTime?) = (0, nil)
    var remarks: [SessionRemark] = []
    /// The latest has its place in the recording.
    var markers: (count: Int, latest: RecorderState.Marker?) = (0, nil)
    /// Its last file is being finished.
    var isClosedToMarkers = false
    var framesBetween: Int?
    /// The last ones are taken.
    var isTold = false
    var changes: [EffortChange] = []
    var firstArrival: MonotonicTime?
    var firstFrameBell: MonotonicSemaphore?
    var lastSeconds = 0.0
    var lastEnd = 0.0
    var endTicks: Int64 = 0
    var endSeconds: Double?
    var peak: Double?
    var bytes: Int64 = 0
    var repeats = 0
    var ratePartsPerMillion: Double?
    var isVariableRate = false
    var sound: SoundSummary?
    var soundFrames: Int64 = 0
    /// Samples that the output took and did not store; those among them that are silence for lost sound; where the
    /// others begin that nobody was told of, and how many they are.
    var soundRefused: (samples: Int64, silent: Int64, from: Int64?, untold: Int64) = (0, 0, nil, 0)
    /// Of sound in front of the film: overruns, lost samples, samples of silence.
    var soundBefore: (overruns: Int, lost: Int64, silent: Int64) = (0, 0, 0)
    /// Lost samples that somebody was told of, and where those begin that nobody was.
    var soundToldOf: Int64 = 0
    var soundLostFrom: Int64?
    /// The same of a pre-roll, before there is a film.
    var preRollSoundToldOf: Int64 = 0
    var soundFailure: CamrecError?
    /// In order; the last is the one that is being recorded to, the others are being finished.
    var sinks: [OpenSink] = []
    /// Of the sinks that are closed.
    var finishedDisk = DiskStatus()
    var soundSettled: Int64 = 0
    /// The files begun last, in order.
    var files: [File] = []
    /// The frame that was written last, by its place in the recording.
    var reached = Int64.min
    /// Its time, in seconds of the recording; infinite when nothing more is written.
    var reachedSeconds = -Double.infinity
    /// The sample at that time. No further file begins in front of it.
    var reachedSample = Int64.min
    var segments = SegmentSum()
    var finished: [FinishedSegment] = []
    var lastPath: String?
    /// The film at that path.
    var lastFinished: RecordingIdentity?
    var movieWarnings: [String] = []
    /// Films that were deleted while they were recorded: copies, and those that are only kept open.
    var rescued: (copied: Int, held: [HeldFilm]) = (0, [])
    /// Files of which threads wait that are left behind.
    var stalled: [StalledFile] = []

    /// The file that has a marker's frame; `nil` while that is not known.
    func file(of marker: RecorderState.Marker, isDivided: Bool) -> File? {
      if isDivided, marker.seconds > reachedSeconds { return nil }
      // A marker in front of the first file's first frame is that file's.
      return files.last { $0.seconds <= marker.seconds } ?? files.first.flatMap { $0.number == 1 ? $0 : nil }
    }
  }

  private let stop = Atomic<Bool>(false)
  private let begun = Atomic<Bool>(false)
  private let values = Mutex(Values())
  private let notes: SessionNotes?
  /// Of the sound.
  let level = PublishedLevel()

  /// - Parameter notes: is told the warnings as well.
  init(limit: RecordingLimit? = nil, notes: SessionNotes? = nil) {
    self.notes = notes
    values.withLock { $0.limit = limit }
  }

  var isStopping: Bool { stop.load(ordering: .acquiring) }

  /// The film ends at the next frame. A camera that goes away from now on is no loss of the film's.
  func requestStop() {
    values.withLock { $0.isEnded = true }
    part()
  }

  /// Notes in the sidecar who ends the film, at the frame that arrived last. Only the first one counts. Call before
  /// `requestStop`, so that the film is not closed yet.
  ///
  /// - Parameter origin: `nil` if that is not to be noted.
  /// - Returns: false if it is not noted, also because somebody was before.
  @discardableResult func noteStop(by origin: String?) -> Bool {
    guard let origin else { return false }
    return values.withLock {
      guard !$0.isStopNoted else { return false }
      $0.isStopNoted = true
      notes?.add(.setting("stop", value: origin, seconds: $0.lastSeconds))
      return true
    }
  }

  /// The film ends at the next frame for another one that continues it. Until then it may lose its camera.
  func part() { stop.store(true, ordering: .releasing) }

  /// Somebody has ended the film.
  var isEnded: Bool { values.withLock { $0.isEnded } }

  /// The camera had nothing more to give, before anybody or a limit ended the film.
  var hasCameraFinished: Bool { values.withLock { $0.hasCameraFinished } }
  func cameraHasFinished() { values.withLock { $0.hasCameraFinished = true } }

  /// Where the film ends by itself.
  var limit: RecordingLimit? {
    get { values.withLock { $0.limit } }
    set { values.withLock { $0.limit = newValue } }
  }

  /// The film begins with the first frame captured at this time or later; `nil` with any. Set before it begins.
  var begin: MonotonicTime? {
    get { values.withLock { $0.begin } }
    set { values.withLock { $0.begin = newValue } }
  }

  /// If the camera goes away, another film follows.
  var awaitsCamera: Bool {
    get { values.withLock { $0.awaitsCamera } }
    set { values.withLock { $0.awaitsCamera = newValue } }
  }

  /// The film continues another one: its camera can be lost before the first frame.
  var isContinuation: Bool {
    get { values.withLock { $0.isContinuation } }
    set { values.withLock { $0.isContinuation = newValue } }
  }

  /// How the film lost its camera; `nil` while it has it.
  var cameraLoss: CameraLoss? { values.withLock { $0.cameraLoss } }
  /// When the last intact frame of a lost camera arrived that was silent before it was lost.
  var silentSince: MonotonicTime? { values.withLock { $0.silentSince } }

  /// The camera has gone away.
  ///
  /// - Parameter since: when its last intact frame arrived, if it was silent before that.
  /// - Returns: false if the film ends anyway, and has all its frames.
  func losesCamera(_ loss: CameraLoss, silentSince since: MonotonicTime? = nil) -> Bool {
    values.withLock { values in
      guard !values.isEnded, values.failure == nil else { return false }
      (values.cameraLoss, values.silentSince) = (loss, since)
      return true
    }
  }

  /// The movie's file exists.
  var hasBegunMovie: Bool { begun.load(ordering: .acquiring) }

  func beganMovie() { begun.store(true, ordering: .releasing) }

  /// There is no file, and none is opened any more. Asked in this order: a film that is closed to markers opens none.
  var endsWithoutFilm: Bool { values.withLock { $0.isClosedToMarkers } && !hasBegunMovie }

  /// The first failure is the one that is reported; any ends the recording.
  /// The film ends with this. Only the first one counts.
  ///
  /// - Parameter loss: the camera's own error, if the film ends because its camera is gone.
  func fail(_ error: CamrecError, because loss: CamrecError? = nil) {
    values.withLock {
      guard $0.failure == nil else { return }
      ($0.failure, $0.cameraError) = (error, loss)
    }
    part()
  }

  /// The camera's own error, if the film has ended because its camera is gone.
  var cameraError: CamrecError? { values.withLock { $0.cameraError } }

  var failure: CamrecError? { values.withLock { $0.failure } }

  /// The output takes nothing more. The first refusal counts.
  func isRefused(_ refusal: OutputRefusal) { values.withLock { if $0.refusal == nil { $0.refusal = refusal } } }
  var refusal: OutputRefusal? { values.withLock { $0.refusal } }

  /// What a file is left as that could not be finished. Of several the first file counts, whichever is told first.
  ///
  /// - Parameter lost: frames that it lacks, if another file follows it.
  func isLeft(by fault: OutputFault, number: Int, lost: Int?) {
    values.withLock { values in
      values.lostInParted += lost ?? 0
      if let left = values.left, left.number <= number { return }
      values.left = (fault: fault, number: number, lost: lost)
    }
  }
  /// That, and the frames that it lacks; `nil` for the last file.
  var left: (fault: OutputFault, lost: Int?)? { values.withLock { $0.left.map { (fault: $0.fault, lost: $0.lost) } } }
  var lostInParted: Int { values.withLock { $0.lostInParted } }

  func warn(_ message: String) { remark(SessionRemark(message)) }

  func warn(saying sentence: Sentence) { remark(SessionRemark(saying: sentence)) }

  /// Any thread.
  ///
  /// - Parameter isNoted: the sidecar of the film being written has it, too.
  /// - Returns: `false` where the session is over, so that nobody hears it.
  @discardableResult
  func remark(_ remark: SessionRemark, isNoted: Bool = true) -> Bool {
    let seconds: Double? = values.withLock {
      guard !$0.isTold else { return nil }
      $0.remarks.append(remark)
      return $0.lastSeconds
    }
    guard let seconds else { return false }
    guard isNoted else { return true }
    notes?.add(
      remark.isWarning ? .warning(remark.message, seconds: seconds) : .note(remark.message, seconds: seconds))
    return true
  }

  /// A warning with more to it.
  func eased(_ change: EffortChange) {
    let seconds = values.withLock {
      $0.changes.append(change)
      return $0.lastSeconds
    }
    notes?.add(.warning(change.message, seconds: seconds))
  }

  /// Sets a marker at the frame that arrived last, and notes it before a later one can be written.
  ///
  /// - Parameter make: is given the marker's number, from 1, and its place in the recording; must not ask this object.
  /// - Returns: the marker, with its place in the recording; `nil` if the film takes no more.
  func marks(_ make: (_ number: Int, _ seconds: Double) -> RecorderState.Marker) -> RecorderState.Marker? {
    values.withLock {
      guard !$0.isClosedToMarkers else { return nil }
      let marker = make($0.markers.count + 1, $0.lastSeconds)
      $0.markers = ($0.markers.count + 1, marker)
      notes?.add(.marker(marker.text, seconds: marker.seconds))
      return marker
    }
  }

  /// From now on the film takes no more markers; those so far are noted.
  func closeToMarkers() { values.withLock { $0.isClosedToMarkers = true } }

  /// The latest of the current file, with its place there; `nil` if it lies in another file.
  ///
  /// - Parameter isDivided: another file may follow: whether its frame begins one is known when it is written.
  func marker(isDivided: Bool) -> RecorderState.Marker? {
    values.withLock { values in
      guard let latest = values.markers.latest, let file = values.file(of: latest, isDivided: isDivided),
        file.number == values.files.last?.number
      else { return nil }
      return file.placed(latest).marker
    }
  }

  /// A marker and the file that has its frame, however many files have begun since; `nil` as long as its frame may
  /// begin another one.
  ///
  /// - Parameters:
  ///   - marker: with its place in the recording.
  ///   - isDivided: as for `marker(isDivided:)`.
  func place(of marker: RecorderState.Marker, isDivided: Bool) -> PlacedMarker? {
    values.withLock { $0.file(of: marker, isDivided: isDivided)?.placed(marker) }
  }

  /// Frames that were due between the film that this one continues and this one; `nil` where it continues none.
  var framesBetween: Int? {
    get { values.withLock { $0.framesBetween } }
    set { values.withLock { $0.framesBetween = newValue } }
  }

  func takeChanges() -> [EffortChange] {
    values.withLock {
      let changes = $0.changes
      $0.changes = []
      return changes
    }
  }

  /// `count` frames from `frame` on are lost.
  ///
  /// - Parameter file: a frame of the file in which they lie, if their own places are not known.
  func lost(_ reason: LossReason, frame: Int64?, inFileOf file: Int64? = nil, count: Int64) {
    let now = MonotonicTime.now()
    values.withLock { values in
      for index in values.losses.indices where values.losses[index].reason == reason {
        values.losses[index].add(frame: frame, inFileOf: file, count: count, at: now)
      }
      guard reason == .disk else { return }
      let goesOn = values.diskRun.end.map { now - $0 < OutputRefusal.reach } ?? false
      values.diskRun = ((goesOn ? values.diskRun.count : 0).addingSaturated(count), now)
    }
  }

  /// `count` frames of a pre-roll are lost: no film has begun, and none may come to include them.
  func lostInPreRoll(_ reason: LossReason, count: Int64) {
    let now = MonotonicTime.now()
    values.withLock { values in
      for index in values.preRollLosses.indices where values.preRollLosses[index].reason == reason {
        values.preRollLosses[index].add(frame: nil, count: count, at: now)
      }
    }
  }

  /// Somebody was told of what the disk has cost.
  func saidOfDisk() { values.withLock { $0.diskRun = (0, nil) } }

  /// Frames that a refusal at this moment has cost already.
  var refusedBefore: Int64 {
    values.withLock { values in
      guard let end = values.diskRun.end, MonotonicTime.now() - end < OutputRefusal.reach else { return 0 }
      return values.diskRun.count
    }
  }

  /// What was lost since the last time.
  func takeLosses() -> [SessionLoss] { values.withLock { SessionState.take(&$0.losses) } }
  func takePreRollLosses() -> [SessionLoss] { values.withLock { SessionState.take(&$0.preRollLosses) } }

  private static func take(_ losses: inout [SessionLoss]) -> [SessionLoss] {
    let found = losses.filter { $0.count > 0 }
    if !found.isEmpty { losses = LossReason.allCases.map { SessionLoss($0) } }
    return found
  }

  /// - Parameter isEnd: there is nobody to hear later ones.
  func takeRemarks(isEnd: Bool) -> [SessionRemark] {
    values.withLock { values in
      defer { values.remarks = [] }
      if isEnd { values.isTold = true }
      return values.remarks
    }
  }

  /// Notes a frame's arrival at movie time `seconds`; it lasts until `end`.
  func arrived(seconds: Double, end: Double) {
    values.withLock { ($0.lastSeconds, $0.lastEnd) = (seconds, end) }
  }

  /// Notes that the first frame has arrived, and is in the ledger.
  func firstFrameArrived() {
    let bell = values.withLock { values -> MonotonicSemaphore? in
      values.firstArrival = MonotonicTime.now()
      return values.firstFrameBell
    }
    bell?.signal()
  }

  /// Rings when the first frame arrives; set before the session begins.
  var firstFrameBell: MonotonicSemaphore? {
    get { values.withLock { $0.firstFrameBell } }
    set { values.withLock { $0.firstFrameBell = newValue } }
  }

  var firstArrival: MonotonicTime? { values.withLock { $0.firstArrival } }
  var lastSeconds: Double { values.withLock { $0.lastSeconds } }
  /// Where the frame that arrived last ends, in seconds of the recording; 0 before the first.
  var lastEnd: Double { values.withLock { $0.lastEnd } }

  /// The picture has ended: where, in ticks and in seconds.
  func ended(atTicks ticks: Int64, seconds: Double) {
    values.withLock {
      $0.endTicks = ticks
      $0.endSeconds = seconds
      $0.lastEnd = seconds
    }
  }

  /// Of the picture; once the film is finished, where the film ends.
  var endTicks: Int64 {
    get { values.withLock { $0.endTicks } }
    set { values.withLock { $0.endTicks = newValue } }
  }
  /// `nil` while the picture goes on.
  var endSeconds: Double? { values.withLock { $0.endSeconds } }

  func heard(peak: Double) { values.withLock { $0.peak = max($0.peak ?? 0, peak) } }

  func takePeak() -> Double? {
    values.withLock {
      let peak = $0.peak
      if peak != nil { $0.peak = 0 }
      return peak
    }
  }

  func wrote(bytes: Int64) { values.withLock { $0.bytes = bytes } }
  var bytes: Int64 { values.withLock { $0.bytes } }

  /// A frame was written once more, in a gap.
  func repeated() { values.withLock { $0.repeats += 1 } }
  /// The disk has not stored that many of them.
  func refused(repeats: Int) { values.withLock { $0.repeats -= repeats } }
  /// How many were, in all files.
  var repeats: Int { values.withLock { $0.repeats } }

  /// What is written goes to `sink` until another is opened; it is open until it is closed.
  ///
  /// - Parameter seconds: its first frame's time in the recording.
  func opened(_ sink: any MovieSink, at seconds: Double) {
    values.withLock {
      if let last = $0.sinks.indices.last { $0.sinks[last].end = seconds }
      $0.sinks.append(OpenSink(sink: sink, start: seconds))
    }
  }

  func closed(_ sink: any MovieSink) {
    let disk = sink.disk
    values.withLock {
      $0.sinks.removeAll { $0.sink === sink }
      $0.finishedDisk.add(finished: disk)
    }
  }

  /// Those that are open: the one that is written to comes last.
  var sinks: [OpenSink] { values.withLock { $0.sinks } }

  /// What is being written to.
  var sink: (any MovieSink)? { values.withLock { $0.sinks.last?.sink } }

  var disk: DiskStatus {
    let (sinks, finished) = values.withLock { ($0.sinks, $0.finishedDisk) }
    var disk = sinks.last?.sink.disk ?? DiskStatus()
    for open in sinks.dropLast() { disk.add(finishing: open.sink.disk) }
    disk.add(finished: finished)
    return disk
  }

  func measured(partsPerMillion: Double?, isVariableRate: Bool) {
    values.withLock {
      // No clock is known to less than a hundredth, and none is off by -0.
      $0.ratePartsPerMillion = partsPerMillion.map { ($0 * 100).rounded() / 100 + 0 }
      $0.isVariableRate = isVariableRate
    }
  }

  var ratePartsPerMillion: Double? { values.withLock { $0.ratePartsPerMillion } }
  var isVariableRate: Bool { values.withLock { $0.isVariableRate } }

  func wrote(soundFrames: Int) { values.withLock { $0.soundFrames += Int64(soundFrames) } }

  /// The output took these samples and did not store them.
  ///
  /// - Parameters:
  ///   - silent: those of silence, which are lost already.
  ///   - sample: where in the recording the others begin.
  func refused(samples: Int64, silent: Int64, from sample: Int64) {
    values.withLock { values in
      values.soundRefused.samples += samples
      values.soundRefused.silent += silent
      guard samples > silent else { return }
      values.soundRefused.from = min(values.soundRefused.from ?? sample, sample)
      values.soundRefused.untold += samples - silent
    }
  }

  func laid(_ track: SoundTrack) {
    let account = track.account
    values.withLock {
      if account.lost > $0.sound?.lostFrames ?? 0, $0.soundLostFrom == nil { $0.soundLostFrom = account.lostAt }
      $0.sound = SoundSummary(
        frames: 0, overruns: account.overruns, lostFrames: account.lost, silentFrames: account.silence,
        stretch: track.stretch)
    }
  }

  var sound: SoundSummary? {
    values.withLock { values in
      guard var sound = values.sound else { return nil }
      let refused = values.soundRefused
      sound.frames = max(0, values.soundFrames - refused.samples)
      sound.overruns = max(0, sound.overruns - values.soundBefore.overruns)
      // Each sample once: silence that reached the file, and what did not.
      sound.lostFrames = max(0, sound.lostFrames - values.soundBefore.lost - refused.silent) + refused.samples
      sound.refusedFrames = refused.samples
      // Silence in front of the microphone's first sample is not lost, also if it is refused.
      sound.silentFrames = min(
        sound.frames, max(0, sound.silentFrames - values.soundBefore.silent - refused.silent))
      return sound
    }
  }

  /// The film begins behind so many samples, of which so many were lost.
  func forgets(sound: (count: Int, samples: Int64), samples: Int64) {
    values.withLock { values in
      let leading = max(0, (values.sound?.silentFrames ?? 0) - (values.sound?.lostFrames ?? 0))
      values.soundBefore = (sound.count, sound.samples, sound.samples + min(leading, samples))
      values.soundToldOf = max(values.soundToldOf, sound.samples)
      values.soundLostFrom = values.soundLostFrom.map { max($0, samples) }
    }
  }

  /// Sound that was lost since the last time: where it begins in the recording, and how many samples.
  func takeSoundLoss() -> (sample: Int64, count: Int64)? {
    values.withLock { values in
      defer { values.soundLostFrom = nil }
      let lost = values.sound?.lostFrames ?? 0, count = lost - values.soundToldOf
      guard count > 0 else { return nil }
      values.soundToldOf = lost
      return (values.soundLostFrom ?? 0, count)
    }
  }

  /// Sound that the output has refused since the last time: where it begins in the recording, and how many samples.
  func takeSoundRefusal() -> (sample: Int64, count: Int64)? {
    values.withLock { values in
      guard let sample = values.soundRefused.from else { return nil }
      defer { (values.soundRefused.from, values.soundRefused.untold) = (nil, 0) }
      return (sample, values.soundRefused.untold)
    }
  }

  /// Samples of a pre-roll's sound that were lost since the last time. Those that a film includes are told of it again.
  func takePreRollSoundLoss() -> Int64 {
    values.withLock { values in
      let lost = values.sound?.lostFrames ?? 0
      defer { values.preRollSoundToldOf = lost }
      return lost - values.preRollSoundToldOf
    }
  }

  /// Sound ended before the picture did.
  func soundFailed(_ error: CamrecError) { values.withLock { $0.soundFailure = error } }
  /// It goes on.
  func soundReturned() { values.withLock { $0.soundFailure = nil } }
  var soundFailure: CamrecError? { values.withLock { $0.soundFailure } }

  // MARK: Files

  /// A file of the recording, and the places of its first frame and sample there.
  private struct File {
    var path: String
    let identity: RecordingIdentity
    let number: Int
    let firstFrame: Int64
    let firstSample: Int64
    /// The first frame's time in the recording.
    let seconds: Double

    var place: LossPlace { LossPlace(film: path, firstFrame: firstFrame, firstSample: firstSample) }

    /// A marker of this file, by its place in the recording.
    func placed(_ marker: RecorderState.Marker) -> PlacedMarker {
      var own = marker
      own.seconds = max(0, marker.seconds - seconds)
      return PlacedMarker(marker: own, film: path, identity: identity, number: number)
    }
  }

  /// Files in which losses that nobody was told of may lie.
  private static let mostFiles = 64

  /// The file that is being written, or was written last.
  var file: (path: String, identity: RecordingIdentity, number: Int)? {
    values.withLock { $0.files.last }.map { (path: $0.path, identity: $0.identity, number: $0.number) }
  }
  /// The film that the account is about: the one that was finished last, otherwise the one that was begun last.
  var lastFilm: RecordingIdentity? { values.withLock { $0.lastFinished ?? $0.files.last?.identity } }
  /// The number of a file begun lately.
  func number(of film: RecordingIdentity) -> Int? {
    values.withLock { $0.files.last { $0.identity == film }?.number }
  }
  /// - Parameters:
  ///   - firstFrame: the place of the file's first frame in the recording; `firstSample` is that of its sound.
  ///   - seconds: that frame's time in the recording.
  func began(
    _ path: String, _ identity: RecordingIdentity, number: Int, firstFrame: Int64, firstSample: Int64, seconds: Double
  ) {
    values.withLock {
      if $0.files.count == SessionState.mostFiles { $0.files.removeFirst() }
      $0.files.append(
        File(
          path: path, identity: identity, number: number, firstFrame: firstFrame, firstSample: firstSample,
          seconds: seconds))
    }
  }

  /// - Parameter sample: the sound's place at the frame's time.
  func wrote(frame: Int64, seconds: Double, sample: Int64) {
    values.withLock { ($0.reached, $0.reachedSeconds, $0.reachedSample) = (frame, seconds, sample) }
  }

  /// No further frame is written, and no further file begins.
  func wroteAll() {
    values.withLock { ($0.reached, $0.reachedSeconds, $0.reachedSample) = (.max, .infinity, .max) }
  }

  /// The file in which lost frames or lost sound lie, as the sidecars have it; `nil` while that is not known.
  ///
  /// - Parameters:
  ///   - isDivided: another file may follow each one.
  ///   - isEnd: nothing more is written.
  func place(ofLost extent: LossExtent, isDivided: Bool, isEnd: Bool) -> LossPlace? {
    values.withLock { values in
      let files = values.files
      guard let first = files.first else { return nil }
      if !isDivided, files.count == 1 { return first.place }
      let (lost, begins, reached) =
        switch extent {
        case .frames(let frames): (frames, files.map(\.firstFrame), values.reached)
        case .samples(let samples): (samples, files.map(\.firstSample), values.reachedSample)
        }
      guard let lost else { return nil }
      // Frames lost before the first file's first frame are that file's.
      let before: Int? = first.number == 1 ? 0 : nil
      guard let index = begins.lastIndex(where: { $0 <= lost.lowerBound }) ?? before else { return nil }
      let isWithin =
        index + 1 < files.count ? lost.upperBound < begins[index + 1] : isEnd || lost.upperBound <= reached
      return isWithin ? files[index].place : nil
    }
  }

  /// - Parameter old: as the file was called before.
  func renamed(_ old: String, to path: String) {
    values.withLock { values in
      guard let index = values.files.lastIndex(where: { $0.path == old }) else { return }
      values.files[index].path = path
    }
  }

  func hasRescued() { values.withLock { $0.rescued.copied += 1 } }
  func holds(_ film: HeldFilm) { values.withLock { $0.rescued.held.append(film) } }
  /// There is a copy of it after all.
  func copied(_ film: HeldFilm, to path: String) {
    values.withLock { values in
      values.rescued.held.removeAll { $0 === film }
      values.rescued.copied += 1
    }
    renamed(film.path, to: path)
  }
  var rescued: (copied: Int, held: [HeldFilm]) { values.withLock { $0.rescued } }
  /// A thread that waits for that file is left behind.
  func leaves(_ file: StalledFile) { values.withLock { $0.stalled.append(file) } }
  var stalled: [StalledFile] { values.withLock { $0.stalled } }

  /// The files that are finished, all together.
  var segments: SegmentSum { values.withLock { $0.segments } }

  /// - Parameters:
  ///   - ticks: its length.
  ///   - isTold: the observer is told of it.
  func finished(_ segment: FinishedSegment, ticks: Int64, warnings: [String], isTold: Bool) {
    values.withLock {
      $0.segments.add(segment, ticks: ticks)
      ($0.lastPath, $0.lastFinished) = (segment.path, segment.identity)
      $0.movieWarnings += warnings
      if isTold { $0.finished.append(segment) }
    }
  }

  func takeSegments() -> [FinishedSegment] {
    values.withLock { values in
      let finished = values.finished
      values.finished = []
      return finished
    }
  }

  /// What was recorded; `nil` for nothing.
  var movie: MovieReport? {
    values.withLock { values in
      values.lastPath.map { path in
        MovieReport(
          path: path, bytes: values.segments.bytes, frames: values.segments.frames, warnings: values.movieWarnings)
      }
    }
  }

  /// The sound thread has said of all losses in front of this sample that they are some.
  var soundSettled: Int64 { values.withLock { $0.soundSettled } }
  func settledSound(to sample: Int64) { values.withLock { $0.soundSettled = sample } }
}

/// A sink that is open, and its place in the recording, in seconds.
struct OpenSink: Sendable {
  let sink: any MovieSink
  let start: Double
  /// `nil` while it is being recorded to.
  var end: Double?
}

/// Files of a recording that are finished, together.
struct SegmentSum {
  var count = 0
  var bytes: Int64 = 0
  var frames: Int64 = 0
  /// Their lengths.
  var ticks: Int64 = 0
  /// The accounts of those that other files follow.
  var counts = FrameLedger.Counts()
  var soundFrames: Int64 = 0
  var soundLost: Int64 = 0

  mutating func add(_ segment: FinishedSegment, ticks: Int64) {
    count += 1
    bytes += segment.bytes
    frames += segment.frames
    self.ticks += ticks
  }
}
