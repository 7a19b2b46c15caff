import Testing
import WharfJSON

@Suite struct BytesTests {
    @Test(
        arguments: [
            [[]], [[], []], [[1, 2, 3]], [[1], [], [2, 3]], [[UInt8](repeating: 7, count: 1000), [8]],
        ] as [[[UInt8]]])
    func piecesAreJoinedInTheirOrder(_ chunks: [[UInt8]]) {
        let whole = chunks.flatMap { $0 }
        // The expected length is exact, off by one, unknown, or far too small or too large.
        for expected in [nil, 0, -1, 1, whole.count - 1, whole.count, whole.count + 1, whole.count + 5000] as [Int?] {
            var buffer = JSONBuffer(expecting: expected)
            for chunk in chunks { buffer.append(chunk) }
            #expect(buffer.count == whole.count)
            let bytes = buffer.bytes()
            #expect(bytes.array == whole)
            #expect(bytes.count == whole.count)
            #expect(bytes == JSONBytes(whole))
            #expect(bytes.hashValue == JSONBytes(whole).hashValue)
            #expect(bytes.isFollowedByZeros)
        }
    }

    @Test func documentOfAnySourceIsFollowedByZeros() {
        #expect(JSONBytes("").isFollowedByZeros)
        #expect(JSONBytes("é").isFollowedByZeros)
        #expect(JSONBytes([0xFF]).isFollowedByZeros)
    }

    @Test func rangeIsClampedToTheDocument() {
        let bytes = JSONBytes("12345")
        #expect(bytes[1..<3] == Array("23".utf8))
        #expect(bytes[3..<100] == Array("45".utf8))
        #expect(bytes[-4..<1] == Array("1".utf8))
        #expect(bytes[9..<12] == [])
    }

    @Test func bufferWithUnusedCapacityIsDecoded() throws {
        var buffer = JSONBuffer(expecting: 1000)
        buffer.append(Array("[1,".utf8))
        buffer.append(Array("2]".utf8))
        #expect(try JSON.decode([Int].self, from: buffer.bytes()) == [1, 2])
    }

    @Test(arguments: [nil, 3, 6, 100] as [Int?])
    func eachByteIsCopiedOnceHoweverMuchWasExpected(_ expected: Int?) {
        var copied = 0
        var buffer = JSONBuffer(expecting: expected)
        for _ in 0..<3 {
            buffer.append(count: 2) { target in
                copied += target.count
                target.copyBytes(from: [1, 2])
            }
        }
        let bytes = buffer.bytes()
        #expect(copied == 6)
        #expect(bytes.array == [1, 2, 1, 2, 1, 2])
    }

    @Test func oneDocumentIsDecodedByConcurrentTasks() async throws {
        let bytes = JSONBytes("[" + Array(repeating: #""é""#, count: 1000).joined(separator: ",") + "]")
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 { group.addTask { try JSON.decode([String].self, from: bytes).count } }
            for try await count in group { #expect(count == 1000) }
        }
    }
}

extension JSONBytes {
    fileprivate var isFollowedByZeros: Bool {
        // These bytes are readable: `JSONBytes` guarantees `padding` bytes after the last one.
        withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return false }
            return (0..<JSONBytes.padding).allSatisfy {
                base.load(fromByteOffset: bytes.count + $0, as: UInt8.self) == 0
            }
        }
    }
}
