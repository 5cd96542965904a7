import Cluster
import Testing

@Suite struct ShardTests {
  @Test(arguments: 1...7) func `the parts of a list are the list`(count: Int) throws {
    let shards = try (0..<count).map { try #require(Shard(index: $0, of: count)) }
    for place in 0..<20 { #expect(shards.count { $0.has(place) } == 1) }
  }

  @Test func `a part is read as it is written`() {
    #expect(Shard("2/8")?.text == "2/8" && Shard("0/1") != nil)
    for wrong in ["", "/", "8/8", "-1/8", "1/0", "1", "1/2/3", "a/b", " 1/2", "1/ 2", "+1/2", "99999999999999999999/2"]
    { #expect(Shard(wrong) == nil, "\(wrong)") }
  }
}
