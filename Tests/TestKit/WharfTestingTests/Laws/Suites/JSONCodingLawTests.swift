import Testing
import WharfChecks
import WharfJSON
import WharfJSONLaws

@Suite struct JSONCodingLawTests {
    private typealias Laws = JSONCodingLaws

    @Test func handwrittenCodingKeepsTheLaws() async throws {
        for law in Laws.all(for: Film.self) { try await law.check(.init("Film", Film.generator)) }
    }

    @Test func scalarAndCollectionCodingKeepsTheLaws() async throws {
        for law in Laws.all(for: String.self) { try await law.check(.init("String", .string())) }
        let numbers = Generator<Int64>.int(in: .min ... .max)
        for law in Laws.all(for: Int64.self) { try await law.check(.init("Int64", numbers)) }
        let nested = Generator.array(of: .optional(.array(of: numbers, count: 0...3)))
        for law in Laws.all(for: [[Int64]?].self) { try await law.check(.init("[[Int64]?]", nested)) }
        let pairs = Generator.array(of: .zip(.string(), .bool))
        let dictionaries = pairs.map { Dictionary($0) { first, _ in first } }
        for law in Laws.all(for: [String: Bool].self) { try await law.check(.init("[String: Bool]", dictionaries)) }
    }

    @Test func aTypeThatIsWrongBreaksItsLawAndNoOther() async throws {
        func broken<Value: JSONDecodable & JSONEncodable & Equatable & Sendable>(
            _ type: Value.Type, _ wrap: @escaping @Sendable (Film) -> Value
        ) async throws -> [String] {
            let subject = Laws.Subject("\(type)", Film.generator.map { wrap($0) })
            return try await Laws.all(for: type).violations(by: subject).map(\.law)
        }
        #expect(try await broken(Forgetful.self) { Forgetful(film: $0) } == ["a written value is read back unchanged"])
        #expect(
            try await broken(Ordered.self) { Ordered(film: $0) } == ["the members of an object are read in any order"])
        #expect(
            try await broken(Silent.self) { Silent(film: $0) } == [
                "an invalid element is reported at its index, and the next one is read"
            ])
        #expect(
            try await broken(Stuck.self) { Stuck(film: $0) } == [
                "an invalid element is reported at its index, and the next one is read"
            ]
        )
    }

    @Test func theSmallestValueIsInTheReport() async throws {
        let violation = try await #require(throws: LawViolation.self) {
            try await Laws.all(for: Forgetful.self)[0].check(
                .init("Forgetful", Film.generator.map { Forgetful(film: $0) }))
        }
        #expect(
            violation.counterexample?.input == #"Forgetful(film: "" of 1)"#, "\(violation)")
    }
}

private struct Film: Equatable, JSONDecodable, JSONEncodable, CustomStringConvertible {
    var title: String
    var year: Int

    var description: String { "\(title.debugDescription) of \(year)" }

    static let generator = Generator.zip(.string(), .int(in: -3_000...3_000)).map { Film(title: $0, year: $1) }

    static func decode(from json: inout JSONReader) -> Film? {
        guard var fields = json.beginObject() else { return nil }
        var title: String?
        var year: Int?
        repeat {
            json.read("title", 0, into: &title, &fields)
            json.read("year", 1, into: &year, &fields)
        } while json.next(&fields)
        guard let title, let year else { return json.incomplete(fields, required: [(0, "title"), (1, "year")]) }
        return Film(title: title, year: year)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("title", title)
        json.field("year", year)
        json.endObject()
    }
}

/// Does not encode one of its fields.
private struct Forgetful: Equatable, JSONDecodable, JSONEncodable {
    var film: Film

    static func decode(from json: inout JSONReader) -> Forgetful? {
        Film.decode(from: &json).map { Forgetful(film: $0) }
    }

    func encode(into json: inout JSONWriter) { Film(title: film.title, year: 0).encode(into: &json) }
}

/// Reads the members of an object by position.
private struct Ordered: Equatable, JSONDecodable, JSONEncodable {
    var film: Film

    static func decode(from json: inout JSONReader) -> Ordered? {
        let place = json.offset
        guard let value = JSONValue.decode(from: &json) else { return nil }
        guard case .object(let members) = value.content, members.first?.key == "title", let film = Film(value) else {
            return json.invalid(at: place, .invalidValue, expected: "a film")
        }
        return Ordered(film: film)
    }

    func encode(into json: inout JSONWriter) { film.encode(into: &json) }
}

/// Does not report its errors.
private struct Silent: Equatable, JSONDecodable, JSONEncodable {
    var film: Film

    static func decode(from json: inout JSONReader) -> Silent? {
        JSONValue.decode(from: &json).flatMap { Film($0) }.map { Silent(film: $0) }
    }

    func encode(into json: inout JSONWriter) { film.encode(into: &json) }
}

/// Does not skip a wrong value, which then blocks the next one.
private struct Stuck: Equatable, JSONDecodable, JSONEncodable {
    var film: Film

    static func decode(from json: inout JSONReader) -> Stuck? {
        guard json.kind == .object else { return json.invalid(at: json.offset, .typeMismatch, expected: "a film") }
        return Film.decode(from: &json).map { Stuck(film: $0) }
    }

    func encode(into json: inout JSONWriter) { film.encode(into: &json) }
}

extension Film {
    fileprivate init?(_ value: JSONValue) {
        guard case .string(let title) = value["title"]?.content, case .number(let number) = value["year"]?.content,
            let year = number.integer(Int.self)
        else { return nil }
        self.init(title: title, year: year)
    }
}
