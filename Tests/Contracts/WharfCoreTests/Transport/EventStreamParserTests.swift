import Testing
import WharfChecks
import WharfCore

/// WHATWG HTML, section 9.2.6, with its examples.
@Suite struct EventStreamParserTests {
    private func events(_ text: String) throws -> [ServerSentEvent] {
        var parser = EventStreamParser()
        return try parser.append(text.utf8)
    }

    @Test func linesOfDataAreJoined() throws {
        let read = try events("data: YHOO\ndata: +2\ndata: 10\n\n")
        #expect(read == [ServerSentEvent(type: "message", data: "YHOO\n+2\n10", id: "")])
    }

    @Test func commentsAndUnfinishedEventsAreSkipped() throws {
        let read = try events(
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n")
        #expect(
            read == [
                ServerSentEvent(type: "message", data: "first event", id: "1"),
                ServerSentEvent(type: "message", data: "second event", id: ""),
            ])
    }

    @Test func onlyEventsWithADataFieldAreGiven() throws {
        let read = try events("data\n\ndata\ndata\n\nevent: only\n\ndata:")
        #expect(read.map(\.data) == ["", "\n"])
        #expect(read.map(\.type) == ["message", "message"])
    }

    @Test func oneSpaceAfterTheColonIsDropped() throws {
        #expect(try events("data:test\n\ndata: test\n\ndata:  test\n\n").map(\.data) == ["test", "test", " test"])
    }

    @Test(arguments: ["\n", "\r", "\r\n"])
    func everyLineEndingIsAccepted(end: String) throws {
        let lines = ["event: add", "data: 7", "id: x", "", "data: 8", "", ""].joined(separator: end)
        let expected = [
            ServerSentEvent(type: "add", data: "7", id: "x"), ServerSentEvent(type: "message", data: "8", id: "x"),
        ]
        #expect(try events(lines) == expected)
    }

    @Test func byteOrderMarkIsSkippedAtTheStartOnly() throws {
        #expect(try events("\u{FEFF}data: a\n\n\u{FEFF}data: b\n\n").map(\.data) == ["a"])
    }

    @Test func invalidIDAndRetryAreIgnored() throws {
        var parser = EventStreamParser()
        _ = try parser.append("id: 1\nretry: 250\n\nid: 2\0\nretry: 1s\nretry: -3\nretry\n\n".utf8)
        #expect(parser.lastEventID == "1")
        #expect(parser.retry == .milliseconds(250))
    }

    @Test func idTakesEffectWithItsEvent() throws {
        var parser = EventStreamParser(lastEventID: "7")
        _ = try parser.append("id: 8\ndata: unfinished\n".utf8)
        #expect(parser.lastEventID == "7")
        #expect(try parser.append("\n".utf8).map(\.id) == ["8"])
        #expect(parser.lastEventID == "8")
    }

    @Test func tooLongEventIsRefused() {
        var parser = EventStreamParser(limit: 100)
        #expect(throws: EventTooLong.self) { try parser.append(Array(repeating: UInt8(ascii: "x"), count: 101)) }
        var lines = EventStreamParser(limit: 100)
        #expect(throws: EventTooLong.self) { for _ in 0..<20 { _ = try lines.append("data: 12345\n".utf8) } }
    }

    @Test func chunkingDoesNotChangeTheEvents() async throws {
        let line = Generator<String>.oneOf(
            .element(of: [
                "data: ä😀", "data", "data:", "id: 7", "id", "event: x", ": c", "retry: 10", "\u{FEFF}data: b", "",
            ]),
            .string())
        let text = Generator.zip(
            .bool, .array(of: .zip(line, .element(of: ["\n", "\r", "\r\n", "\n\n", "\r\r\n"])), count: 0...12)
        ).map { ($0 ? "\u{FEFF}" : "") + $1.map { $0.0 + $0.1 }.joined() }
        try await forAll(.zip(text, .array(of: .int(in: 1...6), count: 0...40)), runs: 2_000) { text, cuts in
            var whole = EventStreamParser()
            let expected = try whole.append(text.utf8)
            var (parser, rest, read) = (EventStreamParser(), Array(text.utf8)[...], [ServerSentEvent]())
            for cut in cuts {
                read += try parser.append(rest.prefix(cut))
                rest = rest.dropFirst(cut)
            }
            read += try parser.append(rest)
            try require(read == expected, "read \(read) in place of \(expected)")
            try require(parser.lastEventID == whole.lastEventID && parser.retry == whole.retry, "other ids or pauses")
        }
    }

    @Test func eventRoundTripsThroughItsBytes() async throws {
        try await forAll(.string().filter { !$0.utf8.contains(13) }) { text in
            var parser = EventStreamParser()
            let event = ServerSentEvent(type: "state", data: text, id: "12")
            let read = try parser.append(event.bytes)
            try require(read == [event], "read \(read)")
        }
    }
}
