import Testing
import WharfChecks
import WharfFakes
import WharfPlayback
import WharfPlaybackLaws

@testable import WharfCast

@Suite struct CastFramesTests {
    @Test func messagesAreTheSameForAnySplitOfTheBytes() async throws {
        let splits = Generator<([CastMessage], [Int])> { choices in
            (
                try choices.draw(.array(of: .message, count: 1...4)),
                try choices.draw(.array(of: .int(in: 1...40), count: 1...40))
            )
        }
        try await forAll(splits, runs: 300) { messages, pieces in
            var rest = try messages.flatMap { try CastFrames.frame($0) }[...]
            var frames = CastFrames()
            var read: [CastMessage] = []
            var turn = 0
            while !rest.isEmpty {
                frames.append(rest.prefix(pieces[turn % pieces.count]))
                rest = rest.dropFirst(pieces[turn % pieces.count])
                turn += 1
                while let message = try frames.next() { read.append(message) }
            }
            try require(read == messages, "read \(read)")
        }
    }

    @Test func oneByteAtATimeIsEnough() throws {
        let message = CastMessage(source: "a", destination: "b", namespace: "c", payload: .text("d"))
        var frames = CastFrames()
        let bytes = try CastFrames.frame(message)
        for byte in bytes.dropLast() {
            frames.append([byte])
            #expect(try frames.next() == nil)
        }
        frames.append(bytes.suffix(1))
        #expect(try frames.next() == message)
        #expect(try frames.next() == nil)
    }

    @Test func theLongestMessageIsOf64KiB() throws {
        let longest = Self.message(ofLength: CastFrames.limit)
        var frames = CastFrames()
        frames.append(try CastFrames.frame(longest))
        #expect(try frames.next() == longest)
        let error = #expect(throws: PlaybackError.self) {
            try CastFrames.frame(Self.message(ofLength: CastFrames.limit + 1))
        }
        #expect(error?.code == .refused)
    }

    @Test func tooLongMessageIsRefusedByItsLength() {
        var frames = CastFrames()
        frames.append([0, 1, 0, 1])
        let error = #expect(throws: PlaybackError.self) { try frames.next() }
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("65537") == true, "\(String(describing: error))")
    }

    /// A message of the given length, filled up by its payload.
    private static func message(ofLength length: Int) -> CastMessage {
        var message = CastMessage(source: "a", destination: "b", namespace: "c", payload: .text(""))
        // The payload's length field takes two bytes more than that of an empty payload.
        message.payload = .text(String(repeating: "x", count: length - message.encoded.count - 2))
        return message
    }
}
