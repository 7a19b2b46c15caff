import Testing
import WharfCache

/// RFC 9110 §14.1.
@Suite struct ByteRangeTests {
    @Test(
        arguments: [
            ("bytes=0-1", 0..<2), ("bytes=0-0", 0..<1), ("bytes=2-", 2..<10), ("bytes=-3", 7..<10),
            ("bytes=-99", 0..<10),
            ("bytes=9-99", 9..<10), ("bytes=0-99999999999999999999", 0..<10), ("BYTES = 1-2", 1..<3),
        ] as [(String, Range<Int64>)])
    func rangeOfTenBytesHasItsBytes(text: String, bytes: Range<Int64>) throws {
        #expect(try #require(ByteRange(text)).bytes(of: 10) == bytes)
    }

    @Test(arguments: ["bytes=10-", "bytes=10-20", "bytes=-0", "bytes=99999999999999999999-"])
    func rangeWithoutBytesIsUnsatisfiable(text: String) throws {
        #expect(try #require(ByteRange(text)).bytes(of: 10) == nil)
        #expect(try #require(ByteRange("bytes=-5")).bytes(of: 0) == nil)
    }

    @Test(arguments: [
        "bytes=0-1,4-5", "lines=1-2", "bytes", "bytes=", "bytes=-", "bytes=2-1", "bytes=a-1", "bytes=1-b", "bytes=+1-2",
        "bytes=1--2", "bytes 0-1", "bytes=١-٢",
    ])
    func otherRangesAreIgnored(text: String) { #expect(ByteRange(text) == nil) }
}
