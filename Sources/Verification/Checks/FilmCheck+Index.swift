import MovieBoxes

extension FilmCheck {
  /// Checks that a track's tables describe the same samples, and that these lie in the file.
  mutating func checkIndex(_ track: TrackAtoms) {
    guard let sizes = track.atoms[.sizes] ?? track.atoms[BoxType("stz2")], let times = track.atoms[.times],
      let runs = track.atoms[.chunks]
    else {
      for (type, name) in [(BoxType.sizes, "stsz"), (.times, "stts"), (.chunks, "stsc")] where track.atoms[type] == nil
      {
        missing(
          .error, "mdia/minf/stbl/\(name)", in: track.atom, breaks: "players cannot find the samples",
          remedy: Remedy.copyWhole)
      }
      return
    }
    let count = UInt64(track.sampleCount)
    if count == 0 {
      note(
        .warning, sizes, "the track has no samples", breaks: "players show an empty track, or refuse it",
        remedy: "remove it: ffmpeg -i FILE -map 0 -map -0:d -map -0:\(track.number - 1) -c copy NEW.mov")
      return
    }
    let timed = track.durations.reduce(UInt64(0)) { $0 + UInt64($1.count) }
    if timed != count {
      note(
        .error, times, "has durations of \(FilmCheck.count(timed, "sample")), but the track has \(count)",
        breaks: "players stop at the shorter of the two, or refuse the film", remedy: Remedy.newHeader)
    }
    let shifted = track.offsets.reduce(UInt64(0)) { $0 + UInt64($1.count) }
    if let offsets = track.atoms[.offsets], shifted != count {
      note(
        .error, offsets, "has display times of \(FilmCheck.count(shifted, "sample")), but the track has \(count)",
        breaks: "frames are shown in a wrong order", remedy: Remedy.newHeader)
    }
    checkChunks(track, runs)
    checkDurations(track, times)
    checkEdits(track)
    guard let syncs = track.atoms[.syncs], let numbers = track.syncs else { return }
    let areRising = zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    if numbers.isEmpty || numbers.first == 0 || !areRising || UInt64(numbers.last ?? 0) > count {
      note(
        .error, syncs,
        numbers.isEmpty ? "lists no key frame" : "lists key frames that cannot exist",
        breaks: "players cannot jump within the film", remedy: Remedy.newHeader)
    }
  }

  /// How many bytes a sample takes: 0 if that is unknown, `nil` if each has its own size.
  private func sampleBytes(_ track: TrackAtoms) -> UInt64? {
    guard track.commonSize == 1, let description = track.descriptions.first, case .sound(let sound) = description.kind
    else { return track.commonSize == 0 ? nil : UInt64(track.commonSize) }
    // Old QuickTime counts samples of sound, and its description has their size.
    return FilmCheck.pcmBytes(description.format, sound).map { UInt64($0) * UInt64(sound.channels) } ?? 0
  }

  private mutating func checkChunks(_ track: TrackAtoms, _ atom: Atom) {
    let chunks = track.chunks
    guard let list = track.atoms[.longChunkOffsets] ?? track.atoms[.chunkOffsets] else {
      missing(
        .error, "mdia/minf/stbl/stco", in: track.atom, breaks: "players cannot find the samples",
        remedy: Remedy.copyWhole)
      return
    }
    let runs = track.chunkRuns
    let areRising = runs.first?.first == 1 && zip(runs, runs.dropFirst()).allSatisfy { $0.first < $1.first }
    guard areRising, Int(runs.last?.first ?? 0) <= chunks.count else {
      note(
        .error, atom, "its runs of chunks are not in order from 1 to \(chunks.count)",
        breaks: "players find no sample", remedy: Remedy.copyWhole)
      return
    }
    if let run = runs.first(where: { $0.description == 0 || $0.description > max(1, track.descriptions.count) }) {
      note(
        .error, atom, "a chunk uses description \(run.description), but the track has only \(track.descriptions.count)",
        breaks: "players do not know how to decode it", remedy: Remedy.copyWhole)
    }
    let size = sampleBytes(track)
    var sample = 0
    var outside: (chunk: Int, end: UInt64)?
    var held: UInt64 = 0
    for (index, run) in runs.enumerated() {
      let end = index + 1 < runs.count ? Int(runs[index + 1].first) - 1 : chunks.count
      for chunk in Int(run.first) - 1..<end {
        held += UInt64(run.samples)
        // 32 bits of samples, and less than 2³⁵ bytes each.
        var (bytes, isBeyond) = UInt64(run.samples).multipliedReportingOverflow(by: size ?? 0)
        if size == nil {
          let last = min(sample + Int(run.samples), track.sizes.count)
          for size in track.sizes[min(sample, last)..<last] { bytes += UInt64(size) }
          sample = last
        }
        let (limit, isTooFar) = chunks[chunk].addingReportingOverflow(bytes)
        isBeyond = isBeyond || isTooFar
        if outside == nil, isBeyond || !film.isData(chunks[chunk]..<limit) {
          outside = (chunk, isBeyond ? .max : limit)
        }
      }
    }
    if held != UInt64(track.sampleCount) {
      note(
        .error, atom, "has \(FilmCheck.count(held, "sample")) in its chunks, but the track has \(track.sampleCount)",
        breaks: "players stop where the shorter table ends", remedy: Remedy.copyWhole)
    }
    if track.isElsewhere {
      note(.note, list, "its samples lie in another file, and were not checked")
    } else if let outside {
      let isBehind = outside.end > film.fileBytes
      note(
        .error, list,
        "chunk \(outside.chunk + 1) of \(chunks.count) lies from \(chunks[outside.chunk]) to \(outside.end), "
          + (isBehind ? "but the file ends at \(film.fileBytes)" : "outside the data (mdat)"),
        breaks: isBehind
          ? "the film is cut off: it stops there" : "players show garbage there",
        remedy: isBehind ? Remedy.saveRest : Remedy.copyWhole)
    }
  }

  private mutating func checkDurations(_ track: TrackAtoms, _ atom: Atom) {
    guard let times = track.times, let scale = track.timescale, scale > 0 else { return }
    let isPicture = track.handler == .picture
    if times.shortest == 0 {
      note(
        .error, atom, "a sample lasts 0 ticks",
        breaks: "two \(isPicture ? "frames" : "samples") have the same time: editors drop one, or refuse the film",
        remedy: isPicture ? Remedy.constantRate : Remedy.newHeader)
    }
    let longest = max(times.longest, times.last)
    if isPicture || track.handler == .sound, Double(longest) / Double(scale) > 10, longest / 100 > times.usual {
      note(
        .warning, atom,
        "one sample lasts \(FilmCheck.seconds(Double(longest) / Double(scale))), most last "
          + FilmCheck.seconds(Double(times.usual) / Double(scale)),
        breaks: "the picture freezes, and some editors refuse so long a frame",
        remedy: "for a camrec film, camrec info FILE shows what is missing there")
    }
    guard let header = track.atoms[.mediaHeader], let duration = track.mediaDuration else { return }
    let difference = duration > times.ticks ? duration - times.ticks : times.ticks - duration
    guard difference > UInt64(max(times.usual, times.last)),
      Double(difference) / Double(scale) > FilmCheck.lengthTolerance
    else { return }
    note(
      .error, header, "says \(duration) ticks, but the samples last \(times.ticks)",
      breaks: "players show a wrong length", remedy: Remedy.newHeader)
  }

  private mutating func checkEdits(_ track: TrackAtoms) {
    guard let atom = track.atoms[.editList], let scale = film.timescale, scale > 0 else { return }
    if let edit = track.edits.first(where: { !$0.isEmpty && $0.rate != 1 << 16 }) {
      note(
        .warning, atom, "an edit plays at \(Double(edit.rate) / 65536) times the speed",
        breaks: "FFmpeg and most players ignore that speed", remedy: Remedy.constantRate)
    }
    if track.edits.count(where: { !$0.isEmpty }) > 1 {
      note(
        .warning, atom, "the track consists of \(track.edits.count) edits",
        breaks: "many programs use only the first one, and show the rest at a wrong time",
        remedy: Remedy.constantRate)
    }
    let sum = track.edits.reduce(0.0) { $0 + Double($1.duration) }
    if let header = track.atoms[.trackHeader], let duration = track.duration, !track.edits.isEmpty,
      abs(Double(duration) - sum) / Double(scale) > FilmCheck.lengthTolerance
    {
      note(
        .warning, header,
        "says that the track lasts \(FilmCheck.seconds(Double(duration) / Double(scale))), but its edits last "
          + FilmCheck.seconds(sum / Double(scale)),
        breaks: "programs disagree on where it ends",
        remedy: track.handler == .timecode ? timecodeRemedy(usual: Remedy.newHeader) : Remedy.newHeader)
    }
    guard let first = track.edits.first(where: { !$0.isEmpty }), let times = track.times else { return }
    if first.time < 0 || UInt64(first.time) >= max(1, times.ticks) {
      note(
        .error, atom, "begins at tick \(first.time) of \(times.ticks)", breaks: "players show nothing of the track",
        remedy: Remedy.newHeader)
    }
  }

  /// When a track is shown, in seconds of the movie.
  func shown(_ track: TrackAtoms) -> (start: Double, end: Double)? {
    guard let scale = film.timescale, scale > 0, let own = track.timescale, own > 0, track.sampleCount > 0,
      let times = track.times
    else { return nil }
    let media = Double(times.ticks) / Double(own)
    let earliest = Double(times.earliest) / Double(own)
    guard let first = track.edits.firstIndex(where: { !$0.isEmpty }) else { return (earliest, media + earliest) }
    let before = track.edits[..<first].reduce(0) { $0 + Double($1.duration) } / Double(scale)
    // The shown part begins with the edit, or with the first sample if that comes later.
    let late = earliest - Double(track.edits[first].time) / Double(own)
    let edits = track.edits[first...].reduce(0) { $0 + Double($1.duration) } / Double(scale)
    let length = track.edits.count == first + 1 ? min(edits, max(0, media + late)) : edits
    return (before + max(0, late), before + length)
  }
}
