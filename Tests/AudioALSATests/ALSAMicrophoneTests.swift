import Audio
import AudioALSA
import Frames
import Glibc
import Platform
import Testing

/// ALSA's own device `null` is everywhere, records silence, and is always ready.
@Suite struct ALSAMicrophoneTests {
  @Test func null_recordsWhatIsAskedFor() throws {
    let microphone = try #require(try ALSAMicrophone.open(name: "null"))
    #expect(microphone.format == .standard)
    #expect(microphone.name == "null" && !microphone.isPulled)
    try microphone.start()
    var buffer = AudioBuffer(format: .standard, capacity: 960)
    #expect(try microphone.read(into: &buffer))
    microphone.stop()
    #expect(buffer.count == 960)
    #expect(buffer.lostBefore == 0)
    #expect(buffer.peak == 0)
    #expect(abs(MonotonicTime.now() - buffer.time) < 10_000_000_000)
  }

  @Test func namedMicrophoneThatIsMissing_isRefused() {
    let error = #expect(throws: CamrecError.self) { try ALSAMicrophone.open(name: "hw:CARD=nowhere,DEV=0") }
    #expect(error?.code == .device)
    #expect(
      error?.message
        == "there is no microphone hw:CARD=nowhere,DEV=0; `camrec devices` lists the microphones, "
        + "and --microphone none records without audio")
  }

  @Test func list_hasTheDefaultFirstWhereItOpens() throws {
    let names = ALSADevices.list().map(\.name)
    let opened = (try? ALSAMicrophone.open(name: nil)) ?? nil
    #expect((names.first == "default") == (opened != nil))
    #expect(names.dropFirst(names.first == "default" ? 1 : 0).allSatisfy { $0.hasPrefix("hw:CARD=") })
  }

  @Test(arguments: [
    (ENODEV, true, "microphone mic was unplugged"),
    (EBUSY, false, "microphone mic is in use by another program; close that one or choose another --microphone"),
    (
      EACCES, false,
      "no permission for microphone mic; add yourself to the group `audio` (sudo usermod -aG audio $USER) and "
        + "log in again"
    ),
    (EINVAL, false, "microphone mic failed at snd_pcm_open; choose another --microphone"),
  ])
  func sentence_saysWhatIsWrongAndWhatToDo(number: Int32, isOpen: Bool, sentence: String) {
    let error = ALSACallError(function: "snd_pcm_open", number: number)
    #expect(error.explained(microphone: "mic", isOpen: isOpen).message == sentence)
    #expect(error.explained(microphone: "mic", isOpen: isOpen).cause?.hasPrefix("snd_pcm_open: ") == true)
  }

  @Test func overrunsAndAbsence_areTold() {
    func error(_ number: Int32) -> ALSACallError { ALSACallError(function: "snd_pcm_wait", number: number) }
    #expect(error(EPIPE).isOverrun && error(ESTRPIPE).isOverrun && !error(EIO).isOverrun)
    #expect(error(ENOENT).isAbsence && error(ENODEV).isAbsence && !error(EBUSY).isAbsence)
  }
}
