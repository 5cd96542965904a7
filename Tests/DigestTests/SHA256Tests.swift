import Digest
import Testing

/// The examples that NIST publishes with FIPS 180-4 ("SHA256.pdf"), and one of coreutils' making.
@Suite struct SHA256Tests {
  private func hash(_ text: String) -> String { SHA256.hash(Array(text.utf8)) }

  @Test func `one block, two blocks and nothing at all`() {
    #expect(hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }

  @Test func `two hundred thousand letters`() {
    // `head -c 200000 /dev/zero | tr '\0' a | sha256sum`
    #expect(
      hash(String(repeating: "a", count: 200_000))
        == "2287d207f24a941ff3b56c04c8a25ad56b63e3023207b3bb5b4ac0c9869d74be")
  }

  /// Lengths around a block's, and long ones.
  @Test func `the processor's instructions and plain C agree`() {
    var bytes: [UInt8] = []
    for count in 0...300 {
      #expect(SHA256.hash(bytes, .fastest) == SHA256.hash(bytes, .plain))
      bytes.append(UInt8(truncatingIfNeeded: count &* 167 &+ 13))
    }
    let long = (0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
    #expect(SHA256.hash(long, .fastest) == SHA256.hash(long, .plain))
  }

  @Test(arguments: [55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 129])
  func `pieces of any length give the hash of the whole`(count: Int) {
    let bytes = (0..<count).map { UInt8($0) }
    var pieces = SHA256()
    var start = 0
    while start < count {
      let end = min(start + 1 + start % 7, count)
      pieces.update(Array(bytes[start..<end]).span)
      start = end
    }
    #expect(pieces.finish() == SHA256.hash(bytes))
  }
}
