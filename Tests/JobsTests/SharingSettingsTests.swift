import Cluster
import Foundation
import Jobs
import TestKit
import Testing

/// Where work is done, stored as JSON.
struct SharingSettingsTests {
  @Test func everyMemberIsKept() throws {
    let shard: Shard = try #require(Shard(index: 2, of: 8))
    let settings = SharingSettings(engine: .slurm, tasks: 12, results: "outcomes", shard: shard)
    let usual = SharingSettings()
    #expect(try StoredValue.readBack(settings) == settings)
    #expect(try StoredValue.readBack(usual) == usual)
    #expect(StoredValue.unchanged(settings, from: usual) == [])
  }

  @Test func aPartIsStoredAsItIsWritten_andOneThatCannotBeIsRefused() throws {
    let shard: Shard = try #require(Shard(index: 2, of: 8))
    let stored = try JSONEncoder().encode([shard])
    #expect(try JSONDecoder().decode([String].self, from: stored) == ["2/8"])
    for wrong in ["8/8", "1/0", "a"] {
      #expect(throws: DecodingError.self, "\(wrong)") {
        try JSONDecoder().decode([Shard].self, from: Data(#"["\#(wrong)"]"#.utf8))
      }
    }
  }
}
