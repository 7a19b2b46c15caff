import Testing
import WharfJSON
import WharfTesting

/// Random values, written with keys in random order, white space and escapes, are read as what they were.
@Suite struct RandomValueTests {
    @Test(arguments: 0..<8) func isReadAsItWas(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<150 {
            let values = (0..<3).map { _ in Person.random(&random, 3) }
            var spelling = Spelling(random: random)
            let document = spelling.array(values.map { spelling.person($0) })
            random = spelling.random
            let read = try JSON.decode([Person].self, from: document)
            if read != values { Issue.record("\(document)") }
            if !Grammar.accepts(Array(document.utf8)) { Issue.record("\(document)") }
            #expect(try JSON.decode([Person].self, from: JSON.encode(values)) == values)
        }
    }

    @Test func absentNullAndPresentAreToldApart() throws {
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
    /// Has a default.
    var isNew: Bool
    var suit: Suit?
    var tags: [String?]
    var scores: [String: UInt8]
    /// None or one.
    var friend: [Person]
    /// Below a key of its own.
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

    static func random(_ random: inout SeededGenerator, _ depth: Int) -> Person {
        let words = [
            "", "a", "Ann", "é😀", "\"\\/\n\t\0", "twelve bytes", "exactly8",
            "a text of some more than thirty-two bytes",
        ]
        func word() -> String { words.randomElement(using: &random) ?? "" }
        return Person(
            name: word(), age: Int64(truncatingIfNeeded: random.next()) >> Int64(random.next() % 64),
            size: Double.random(in: -1e6...1e6, using: &random), isNew: random.oneIn(2),
            suit: random.oneIn(3) ? nil : Suit.allCases.randomElement(using: &random),
            tags: (0..<Int.random(in: 0...3, using: &random)).map { _ in random.oneIn(4) ? nil : word() },
            scores: Dictionary(
                (0..<Int.random(in: 0...3, using: &random)).map { _ in
                    (word(), UInt8.random(in: 0...255, using: &random))
                }
            ) { $1 },
            friend: depth > 0 && random.oneIn(2) ? [.random(&random, depth - 1)] : [],
            city: random.oneIn(2) ? nil : word())
    }
}

/// One of the many ways to write a value.
private struct Spelling {
    var random: SeededGenerator

    mutating func blank() -> String {
        ["", "", "", " ", "\n", "\r\n\t", "                 "].randomElement(using: &random) ?? ""
    }

    mutating func array(_ elements: [String]) -> String {
        elements.isEmpty ? "[\(blank())]" : "[" + elements.map { blank() + $0 + blank() }.joined(separator: ",") + "]"
    }

    mutating func object(_ members: [(String, String)]) -> String {
        var members = members
        if random.oneIn(3) {
            members.append(
                ("more", ["null", "{\"name\":[1,{}]}", "\"\\u0000\"", "-1e400"].randomElement(using: &random) ?? ""))
        }
        members.shuffle(using: &random)
        // A repetition behind the first doesn't count.
        if random.oneIn(4), let first = members.first { members.append((first.0, "[null,7]")) }
        return members.isEmpty
            ? "{\(blank())}"
            : "{"
                + members.map { blank() + string($0.0) + blank() + ":" + blank() + $0.1 + blank() }.joined(
                    separator: ",") + "}"
    }

    mutating func string(_ text: String) -> String {
        var spelled = "\""
        for scalar in text.unicodeScalars {
            let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
            if mustEscape || random.oneIn(12) {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: random.oneIn(2))
                    spelled += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                spelled.unicodeScalars.append(scalar)
            }
        }
        return spelled + "\""
    }

    mutating func integer(_ number: Int64) -> String {
        number != 0 && random.oneIn(4)
            ? ["\(number).0", "\(number)00e-2", "\(number)E+0"].randomElement(using: &random) ?? "" : "\(number)"
    }

    mutating func person(_ person: Person) -> String {
        var members = [
            ("name", string(person.name)), ("age", integer(person.age)), ("size", "\(person.size)"),
            ("tags", array(person.tags.map { $0.map { string($0) } ?? "null" })),
            ("scores", scores(person.scores)),
        ]
        if !person.isNew || random.oneIn(2) { members.append(("isNew", "\(person.isNew)")) }
        if let suit = person.suit {
            members.append(("suit", string(suit.rawValue)))
        } else if random.oneIn(2) {
            members.append(("suit", "null"))
        }
        if let friend = person.friend.first {
            members.append(("friend", self.person(friend)))
        } else if random.oneIn(2) {
            members.append(("friend", "null"))
        }
        if let city = person.city { members.append(("address", object([("city", string(city))]))) }
        return object(members)
    }

    /// Without keys that are not the dictionary's own.
    private mutating func scores(_ scores: [String: UInt8]) -> String {
        "{" + scores.map { string($0.key) + blank() + ":" + integer(Int64($0.value)) }.joined(separator: ",") + "}"
    }
}
