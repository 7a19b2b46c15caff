import Testing
import WharfCore
import WharfJSON

@testable import WharfHTTP

@Suite struct JSONDecodingTests {
    private func decode<Payload>(_ decoding: Decoding<Payload>, _ body: String) throws -> Payload {
        try decoding.decode(.json(JSONBytes(body)), HTTPResponse(status: .ok), from: "GET https://h/x")
    }

    private func decoding<Payload: Decodable>(throughCodable type: Payload.Type) -> Decoding<Payload> { .json }

    @Test func payloadWithBothConformancesIsDecodedDirectly() throws {
        #expect(try decode(.json, "7") == Both(way: .direct))
        #expect(try decode(Decoding<[Both]>.json, "[7]") == [Both(way: .direct)])
        #expect(try decode(decoding(throughCodable: Both.self), "7") == Both(way: .codable))
        #expect(try decode(Decoding<Both>.json { _ in }, "7") == Both(way: .codable))
        #expect(try decode(Request<Both>.get("x").decoding, "7") == Both(way: .direct))
        #expect(try decode(Request<Both>.get(url: "https://h/x").decoding, "7") == Both(way: .direct))
        #expect(try decode(Request<Both>.delete("x").decoding, "7") == Both(way: .direct))
        #expect(try decode(Request<Both>.post("x", json: User.ann).decoding, "7") == Both(way: .direct))
        #expect(try decode(Request<Both>.put("x", json: Point(x: 1)).decoding, "7") == Both(way: .direct))
        #expect(try decode(Request<Both>.patch("x", json: Both(way: .codable)).decoding, "7") == Both(way: .direct))
    }

    @Test func payloadIsDecodedByItsOwnConformance() throws {
        #expect(try decode(.json, #"{"x": 1}"#) == Point(x: 1))
        #expect(try decode(.json, #"{"id": 1, "name": "Ann"}"#) == User.ann)
        #expect(try decode(Request<User>.get("x").decoding, #"{"id": 1, "name": "Ann"}"#) == .ann)
        #expect(try decode(Request<Point>.post("x", json: User.ann).decoding, #"{"x": 2}"#) == Point(x: 2))
        let closure = Decoding(json: { bytes in try JSON.decode(JSONValue.self, from: bytes) })
        #expect(try decode(closure, "[1]") == [1])
        #expect(closure.accepted == "application/json")
    }

    @Test func payloadIsReadFromInsideItsEnvelope() throws {
        let body = #"{"meta": {"items": 0}, "data": {"count": 2, "items": [{"x": 1}, {"x": 2}]}}"#
        #expect(try decode(.json(at: "data", "items"), body) == [Point(x: 1), Point(x: 2)])
        let people = #"{"data": {"items": [{"id": 1, "name": "Ann"}]}, "more": true}"#
        #expect(try decode(.json(at: "data", "items"), people) == [User.ann])
        let configured = Decoding<[User]>.json(at: "data", "items") { _ in }
        #expect(throws: ReadFailure.self) { try decode(configured, #"{"data": {"item": []}}"#) }
    }

    @Test func everyErrorComesWithItsPlace() throws {
        let body = "{\n  \"data\": [\n    {\"x\": 1}, {\"x\": \"2\"},\n    {\"y\": 3}\n  ]\n}"
        let failure = #expect(throws: ReadFailure.self) { try decode(Decoding<[Point]>.json(at: "data"), body) }
        #expect(failure?.code == .undecodable)
        let error = try #require(failure?.cause as? JSONError)
        #expect(error.issues.map(\.location.description) == ["3:21", "4:5"])
        #expect(error.issues.map(\.path.description) == ["data[1].x", "data[2].x"])
        #expect(error.issues.map(\.code) == [.typeMismatch, .missingKey])
        #expect(
            failure?.message.contains(#"3:21: data[1].x: expected a whole number (Int), found the string "2""#) == true)
        #expect(failure?.message.contains("(and 1 more)") == true)
        #expect(failure?.message.contains("GET https://h/x") == true)
        #expect(failure?.excerpt == Array(body.utf8))
    }

    @Test func theOptionsReachTheReader() throws {
        let strict = Decoding<Point>.json(options: JSONReadingOptions(duplicateKeys: .reject))
        let twice = #"{"x": 1, "x": 2}"#
        #expect(try decode(.json, twice) == Point(x: 1))
        let failure = #expect(throws: ReadFailure.self) { try decode(strict, twice) }
        #expect((failure?.cause as? JSONError)?.code == .duplicateKey)
    }

    @Test func badElementsAreLeftOutAndReported() throws {
        let points = try decode(Decoding<LossyArray<Point>>.json, #"[{"x": 1}, {"x": null}, {"x": 3}]"#)
        #expect(points.elements == [Point(x: 1), Point(x: 3)])
        #expect(points.failures.map(\.path.description) == ["[1].x"])
    }

    @Test func bodyIsEncodedDirectlyIfPossible() throws {
        #expect(Request<User>.post("x", json: Point(x: 1)).body.text == #"{"x":1}"#)
        #expect(Request<Point>.put("x", json: Both(way: .codable)).body.text == "\"direct\"")
        #expect(Request<User>.patch("x", json: Both(way: .codable)).body.text == "\"direct\"")
        #expect(Request<Point>.post("x", json: User.ann).body.text == #"{"id":1,"name":"Ann"}"#)
        #expect(Request.put("x", json: User.ann, decoding: .ignored).body.text == #"{"id":1,"name":"Ann"}"#)
        #expect(Request.put("x", json: Point(x: 1), decoding: .ignored).body.text == #"{"x":1}"#)
        #expect(Request.put("x", json: User?.none, decoding: .ignored).body.text == "null")
    }
}

/// A type for `WharfJSON` alone.
private struct Point: JSONCodable, Equatable, Sendable {
    let x: Int

    static func decode(from json: inout JSONReader) -> Point? {
        guard var fields = json.beginObject() else { return nil }
        var x: Int?
        repeat { json.read("x", 0, into: &x, &fields) } while json.next(&fields)
        guard let x else { return json.incomplete(fields, required: [(0, "x")]) }
        return Point(x: x)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("x", x)
        json.endObject()
    }
}

/// A type that records the way in which it was decoded.
private struct Both: Codable, JSONCodable, Equatable, Sendable {
    enum Way: String, Codable { case codable, direct }

    let way: Way

    init(way: Way) { self.way = way }

    init(from decoder: any Decoder) throws { way = .codable }

    func encode(to encoder: any Encoder) throws { try "codable".encode(to: encoder) }

    static func decode(from json: inout JSONReader) -> Both? {
        json.skipValue()
        return Both(way: .direct)
    }

    func encode(into json: inout JSONWriter) { json.string("direct") }
}
