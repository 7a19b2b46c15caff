import Testing
import WharfCache
import WharfCore
import WharfStorage

@Suite struct CacheEvictionEventTests {
    @Test(arguments: [
        (CacheEviction.Reason.byteLimit, CacheEvent.EvictionReason.byteLimit), (.fullDisk, .fullDisk),
    ])
    func evictionIsAnEventWithoutSecrets(reason: CacheEviction.Reason, expected: CacheEvent.EvictionReason) {
        let key = CacheKey(account: Account("s3cret"), target: "https://ann:s3cret@example.com/a?key=s3cret")
        let event = CacheEvent(CacheEviction(key: key, byteCount: 7, reason: reason))
        #expect(event == CacheEvent(.evicted(expected), target: "https://example.com/a", byteCount: 7))
    }
}
