import Assembly
import Exposure
import Foundation
import Frames
import Movies
import Recorder
import TestKit
import Testing

/// Settings are stored as JSON and read back as the same values, each member of them.
struct SettingsStorageTests {
  @Test func ofARecordingEveryMemberIsKept() throws {
    let settings = try SettingsExamples.recording(), usual = RecordingSettings()
    #expect(try StoredValue.readBack(settings) == settings)
    #expect(try StoredValue.readBack(usual) == usual)
    #expect(StoredValue.unchanged(settings, from: usual) == [])
    #expect(StoredValue.unchanged(settings.source, from: usual.source) == [])
    #expect(StoredValue.unchanged(settings.exposure, from: usual.exposure) == [])
    #expect(StoredValue.unchanged(settings.bake, from: usual.bake) == [])
    #expect(StoredValue.unchanged(settings.encoding, from: usual.encoding) == [])
    #expect(StoredValue.unchanged(settings.file, from: usual.file) == [])
    #expect(StoredValue.unchanged(settings.limit, from: usual.limit) == [])
    #expect(StoredValue.unchanged(settings.relief, from: usual.relief) == [])
  }

  @Test func ofAServiceEveryMemberIsKept() throws {
    let settings = try SettingsExamples.service(), usual = ServiceSettings()
    #expect(try StoredValue.readBack(settings) == settings)
    #expect(try StoredValue.readBack(usual) == usual)
    #expect(StoredValue.unchanged(settings, from: usual) == [])
    #expect(StoredValue.unchanged(settings.triggers, from: usual.triggers) == [])
    #expect(StoredValue.unchanged(settings.hook, from: usual.hook) == [])
  }

  @Test func ofALookForPhotographsEveryMemberIsKept() throws {
    let settings = PhotoLook.Settings(
      exposure: -0.5, grainSeed: 4_294_967_295, frame: 7, output: .displayP3, quality: 85, overwrite: true)
    let usual = PhotoLook.Settings()
    #expect(try StoredValue.readBack(settings) == settings)
    #expect(try StoredValue.readBack(usual) == usual)
    #expect(StoredValue.unchanged(settings, from: usual) == [])
  }

  @Test func valuesAreStoredAsPeopleWriteThem() throws {
    let data = try JSONEncoder().encode(try SettingsExamples.recording())
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let source = try #require(object["source"] as? [String: Any])
    #expect(source["size"] as? String == "1280x720" && source["frameRate"] as? String == "24000/1001")
    #expect(object["microphone"] as? String == "hw:2,0" && object["segment"] as? String == "clock:600s")
    let bake = try #require(object["bake"] as? [String: Any])
    #expect(bake["colorIn"] as? String == "slog3-full" && bake["bakeOn"] as? String == "gpu")
    let exposure = try #require(object["exposure"] as? [String: Any])
    #expect(exposure["angle"] as? String == "864/5" && exposure["bias"] as? Int == -341, "exactly")
    #expect(exposure["metering"] as? String == "spot:0.1,0.75" && exposure["mode"] as? String == "auto")
  }

  @Test func anExposureThatCannotBeIsRefused() throws {
    let data = try JSONEncoder().encode(ExposureOptions())
    let good = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    for (key, value) in [("angle", "180/0"), ("angle", "361/1"), ("mode", "never"), ("metering", "spot:2,2")] {
      var bad = good
      bad[key] = value
      let text = try JSONSerialization.data(withJSONObject: bad)
      #expect(throws: (any Error).self, "\(key) \(value)") {
        try JSONDecoder().decode(ExposureOptions.self, from: text)
      }
    }
  }

  @Test func aSessionFollowsItsSettings() throws {
    let session = try SettingsExamples.recording().session
    #expect(session.overload == .stop && session.audioOffset == -20_000_001 && session.fillsGaps)
    #expect(session.limit == .frames(240), "frames go before a duration")
    #expect(session.lossLimit == Rational(2, 5) && RecordingSettings().session.lossLimit == Rational(1))
    let span = LimitSettings(duration: TimeSpan(nanoseconds: 90_000_000_001))
    #expect(span.limit == .seconds(Rational(90_000_000_001, 1_000_000_000)) && LimitSettings().limit == nil)
  }
}
