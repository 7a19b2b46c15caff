import Testing
import WharfChecks
import WharfJSON

/// Random values, written with shuffled keys, random white space and escapes, decode to the same
/// values.
@Suite struct RandomValueTests {
    /// Values, and one of the many ways to write them.
    private struct Written: CustomStringConvertible {
        var values: [Person]
        var document: String
        var description: String { document }

        static let generator = Generator { choices in
            let values = try choices.draw(.array(of: Person.generator(depth: 3), count: 0...6))
            var spelling = Spelling(choices: choices)
            let document = try spelling.array(values.map { try spelling.person($0) })
            choices = spelling.choices
            return Written(values: values, document: document)
        }
    }

    @Test func randomValuesRoundTrip() async throws {
        try await forAll(Written.generator, runs: 1_200) { written in
            let read = try JSON.decode([Person].self, from: written.document)
            try require(read == written.values, "read \(Self.list(read)), expected \(Self.list(written.values))")
            try require(Grammar.accepts(Array(written.document.utf8)), "the grammar does not accept it")
            let again = try JSON.decode([Person].self, from: JSON.encode(written.values))
            try require(
                again == written.values, "read \(Self.list(again)) after \(Self.list(written.values)) was encoded")
        }
    }

    private static func list(_ people: [Person]) -> String { people.map { "\($0)" }.joined(separator: ", ") }

    @Test func absentNullAndPresentAreDistinguished() throws {
        let base = #""name":"","age":0,"size":0,"tags":[],"scores":{}"#
        #expect(try JSON.decode(Person.self, from: "{\(base)}").isNew == true)
        #expect(try JSON.decode(Person.self, from: "{\(base),\"isNew\":false}").isNew == false)
        #expect(failure(Person.self, "{\(base),\"isNew\":null}").map(\.path) == [["isNew"]])
        #expect(try JSON.decode(Person.self, from: "{\(base),\"suit\":null,\"friend\":null}").friend == [])
    }
}

private struct Person: Hashable, JSONCodable {
    enum Suit: String, JSONCodable, CaseIterable { case red, black, none = "" }

    var name: String
    var age: Int64
    var size: Double
    /// A member with a default.
    var isNew: Bool
    var suit: Suit?
    var tags: [String?]
    var scores: [String: UInt8]
    /// Zero or one element.
    var friend: [Person]
    /// A member under a nested key.
    var city: String?

    static func decode(from json: inout JSONReader) -> Person? {
        guard var fields = json.beginObject() else { return nil }
        var name: String?
        var age: Int64?
        var size: Double?
        var isNew: Bool?
        var suit: Suit??
        var tags: [String?]?
        var scores: [String: UInt8]?
        var friend: Person??
        var city: String??
        repeat {
            json.read("name", 0, into: &name, &fields)
            json.read("age", 1, into: &age, &fields)
            json.read("size", 2, into: &size, &fields)
            json.read("isNew", 3, into: &isNew, &fields)
            json.read("suit", 4, into: &suit, &fields)
            json.read("tags", 5, into: &tags, &fields)
            json.read("scores", 6, into: &scores, &fields)
            json.read("friend", 7, into: &friend, &fields)
            if json.key("address", 8, &fields) {
                if var inner = json.beginObject() {
                    repeat { json.read("city", 0, into: &city, &inner) } while json.next(&inner)
                }
                json.endField(&fields)
            }
        } while json.next(&fields)
        guard let name, let age, let size, let tags, let scores else {
            return json.incomplete(
                fields, required: [(0, "name"), (1, "age"), (2, "size"), (5, "tags"), (6, "scores")])
        }
        return Person(
            name: name, age: age, size: size, isNew: isNew ?? true, suit: suit ?? nil, tags: tags, scores: scores,
            friend: (friend ?? nil).map { [$0] } ?? [], city: city ?? nil)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("name", name)
        json.field("age", age)
        json.field("size", size)
        json.field("isNew", isNew)
        json.fieldIfPresent("suit", suit)
        json.field("tags", tags)
        json.field("scores", scores)
        json.field("friend", friend.first)
        json.key("address")
        json.beginObject()
        json.field("city", city)
        json.endObject()
        json.endField()
        json.endObject()
    }

    static func generator(depth: Int) -> Generator<Person> {
        let word = Generator.element(of: [
            "", "a", "Ann", "é😀", "\"\\/\n\t\0", "twelve bytes", "exactly8",
            "a text of some more than thirty-two bytes",
        ])
        let score = Generator.zip(word, Generator<UInt8>.int(in: 0...255))
        return Generator { choices in
            Person(
                name: try choices.draw(word), age: try choices.draw(.int(in: .min ... .max)),
                // Up to a million, with 17 digits.
                size: Double(try choices.draw(.int(in: -(1 << 53)...(1 << 53)))) / 0x1p33,
                isNew: try choices.draw(.bool), suit: try choices.draw(.optional(.anyCase())),
                tags: try choices.draw(.array(of: .optional(word), count: 0...3)),
                scores: Dictionary(try choices.draw(.array(of: score, count: 0...3))) { $1 },
                friend: try depth > 0 ? choices.draw(.array(of: generator(depth: depth - 1), count: 0...1)) : [],
                city: try choices.draw(.optional(word)))
        }
    }
}

/// Draws one of the many ways to write a value.
private struct Spelling {
    var choices: Choices

    private mutating func oneIn(_ n: Int) throws -> Bool {
        try choices.draw(.frequency((n - 1, .just(false)), (1, .just(true))))
    }

    private mutating func one(of texts: String...) throws -> String { try choices.draw(.element(of: texts)) }

    mutating func blank() throws -> String { try one(of: "", "", "", " ", "\n", "\r\n\t", "                 ") }

    mutating func array(_ elements: [String]) throws -> String {
        guard !elements.isEmpty else { return "[\(try blank())]" }
        return "[" + (try elements.map { try blank() + $0 + blank() }).joined(separator: ",") + "]"
    }

    mutating func object(_ written: [(String, String)]) throws -> String {
        var rest = written
        if try oneIn(3) {
            rest.append(("more", try one(of: "null", "{\"name\":[1,{}]}", "\"\\u0000\"", "-1e400")))
        }
        var members: [(String, String)] = []
        while !rest.isEmpty { members.append(rest.remove(at: try choices.draw(.int(in: 0...(rest.count - 1))))) }
        // A repeated key after the first is ignored.
        if let first = members.first, try oneIn(4) { members.append((first.0, "[null,7]")) }
        guard !members.isEmpty else { return "{\(try blank())}" }
        let texts = try members.map { try blank() + string($0.0) + blank() + ":" + blank() + $0.1 + blank() }
        return "{" + texts.joined(separator: ",") + "}"
    }

    mutating func string(_ text: String) throws -> String {
        var spelled = "\""
        for scalar in text.unicodeScalars {
            let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
            if try mustEscape || oneIn(12) {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: try oneIn(2))
                    spelled += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                spelled.unicodeScalars.append(scalar)
            }
        }
        return spelled + "\""
    }

    mutating func integer(_ number: Int64) throws -> String {
        guard number != 0, try oneIn(4) else { return "\(number)" }
        return try one(of: "\(number).0", "\(number)00e-2", "\(number)E+0")
    }

    mutating func person(_ person: Person) throws -> String {
        var members = [
            ("name", try string(person.name)), ("age", try integer(person.age)), ("size", "\(person.size)"),
            ("tags", try array(person.tags.map { try $0.map { try string($0) } ?? "null" })),
            ("scores", try scores(person.scores)),
        ]
        if try !person.isNew || oneIn(2) { members.append(("isNew", "\(person.isNew)")) }
        if let suit = person.suit {
            members.append(("suit", try string(suit.rawValue)))
        } else if try oneIn(2) {
            members.append(("suit", "null"))
        }
        if let friend = person.friend.first {
            members.append(("friend", try self.person(friend)))
        } else if try oneIn(2) {
            members.append(("friend", "null"))
        }
        if let city = person.city { members.append(("address", try object([("city", try string(city))]))) }
        return try object(members)
    }

    /// Writes a dictionary, without keys that it does not have.
    private mutating func scores(_ scores: [String: UInt8]) throws -> String {
        // Sorted, so that the order is the same in each run.
        let texts = try scores.sorted { $0.key < $1.key }.map {
            try string($0.key) + blank() + ":" + integer(Int64($0.value))
        }
        return "{" + texts.joined(separator: ",") + "}"
    }
}
