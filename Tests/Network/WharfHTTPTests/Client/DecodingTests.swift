import Foundation
import Testing
import WharfCore
import WharfJSON
import WharfJSONFoundation

@testable import WharfHTTP

@Suite struct DecodingTests {
    private struct Team: Decodable, Sendable {
        let members: [User]
    }

    private func decode<Payload>(
        _ decoding: Decoding<Payload>, _ body: String, _ status: HTTPResponse.Status = .ok
    ) throws -> Payload {
        try decoding.decode(.bytes(Array(body.utf8)), HTTPResponse(status: status), from: "GET https://h/x")
    }

    @Test func aBodyIsDecodedWithoutARequest() throws {
        #expect(try decode(Decoding<User>.json, #"{"id": 1, "name": "Ann"}"#) == .ann)
        #expect(try decode(.text, "caf\u{E9}") == "caf\u{E9}")
        #expect(try decode(.bytes, "ab") == [97, 98])
        #expect(throws: Never.self) { try decode(.ignored, "whatever") }
    }

    @Test func theDecoderCanBeSetUp() throws {
        let decoding = Decoding<Date>.json { $0.dateDecodingStrategy = .secondsSince1970 }
        #expect(try decode(decoding, "0") == Date(timeIntervalSince1970: 0))
    }

    @Test(arguments: [
        (
            #"{"members": [{"id": 1, "name": "Ann"}, {"id": "x", "name": "Bob"}]}"#,
            "1:47: members[1].id: expected"
        ),
        (#"{"members": [{"id": 1}]}"#, "members[0].name: expected a value for the key \"name\""),
        (#"{"members": null}"#, "1:13: members: expected"),
        ("{\n  \"members\": [}\n}", "2:15: "),
        ("<html>", "1:1: expected a value"),
    ])
    func anUndecodableBodySaysTypePlaceAndRequest(_ row: (body: String, expected: String)) throws {
        let failure = #expect(throws: ReadFailure.self) { try decode(Decoding<Team>.json, row.body) }
        #expect(failure?.code == .undecodable)
        #expect(failure?.message.contains(row.expected) == true, "\(failure?.message ?? "")")
        #expect(failure?.message.contains("Team") == true)
        #expect(failure?.message.contains("GET https://h/x") == true)
        #expect(failure?.excerpt == Array(row.body.utf8))
        #expect(failure?.cause is JSONError)
        #expect(failure?.response?.status == .ok)
    }

    @Test func theExcerptIsAtMostFourKibibytes() throws {
        let failure = #expect(throws: ReadFailure.self) {
            try decode(Decoding<User>.json, String(repeating: "x", count: 10_000))
        }
        #expect(failure?.excerpt.count == 4096)
    }

    @Test(arguments: [("", HTTPResponse.Status.ok), ("", .noContent), ("", .resetContent), ("{}", .noContent)])
    func missingBodyFailsWithNoData(_ row: (body: String, status: HTTPResponse.Status)) throws {
        let failure = #expect(throws: ReadFailure.self) { try decode(Decoding<User>.json, row.body, row.status) }
        #expect(failure?.code == .noData)
        #expect(failure?.response?.status == row.status)
    }

    @Test func emptyBodyIsAValueForBytesTextAndIgnored() throws {
        #expect(try decode(.bytes, "") == [])
        #expect(try decode(.text, "") == "")
        #expect(throws: Never.self) { try decode(.ignored, "", .noContent) }
    }

    @Test func textThatIsNotUTF8IsUndecodable() throws {
        let failure = #expect(throws: ReadFailure.self) {
            try Decoding.text.decode(.bytes([0xFF, 0xFE]), HTTPResponse(status: .ok), from: "GET https://h/x")
        }
        #expect(failure?.code == .undecodable)
    }

    @Test func mappingErrorIsDistinctFromDecodingError() throws {
        struct TooYoung: Error {}
        let decoding = Decoding<User>.json.map { _ -> Int in throw TooYoung() }.map { $0 + 1 }
        let unmappable = #expect(throws: ReadFailure.self) { try decode(decoding, #"{"id": 1, "name": "Ann"}"#) }
        #expect(unmappable?.code == .unmappable)
        #expect(unmappable?.cause is TooYoung)
        #expect(unmappable?.message.contains("User") == true)
        #expect(unmappable?.message.contains("Int") == true)
        let undecodable = #expect(throws: ReadFailure.self) { try decode(decoding, "[]") }
        #expect(undecodable?.code == .undecodable)
    }

    @Test func decodingMayThrowItsOwnReadFailure() throws {
        let own = ReadFailure(.init("graphQLErrors"), message: "two errors")
        let failure = #expect(throws: ReadFailure.self) { try decode(Decoding<User> { _, _ in throw own }, "x") }
        #expect(failure == own)
    }
}
