import Testing
import WharfAnalytics
import WharfCore

@Suite struct BatchKeyTests {
    private func key(_ keys: [String]) -> IdempotencyKey {
        keys.map { KeyedEvent(.sample(), key: IdempotencyKey($0)) }.key
    }

    @Test func batchOfOneUsesTheEventsKey() { #expect(key(["a"]).text == "a") }

    /// The text is fixed: another process or a later version must make the same key from the same
    /// entries.
    @Test func aBatchHasTheSameKeyEachTime() {
        #expect(key(["a", "b"]).text == key(["a", "b"]).text)
        #expect(key(["a", "b"]).text == "batch-5c0ec5060ef1ac57c2664b5446ef9337")
    }

    @Test(arguments: [
        ["b", "a"], ["ab"], ["a"], ["a", "b", "c"], ["a", "b", ""], ["", "ab"], ["ab", ""], ["a", "B"],
    ])
    func differentBatchHasADifferentKey(keys: [String]) { #expect(key(keys) != key(["a", "b"])) }

    @Test func batchKeysDoNotCollide() {
        var seen: Set<IdempotencyKey> = []
        for start in 0..<40 { for end in (start + 1)...40 { seen.insert(key((start..<end).map { "key-\($0)" })) } }
        #expect(seen.count == 40 * 41 / 2)
    }
}
