import Testing
import WharfJSON

@Suite struct DictionaryTests {
    private static let ways = [JSONReadingOptions(), JSONReadingOptions(stopsAtFirstError: true)]

    @Test(arguments: [
        #"{"a":1,"a":"x"}"#, #"{"a":1,"a":"x","a":null,"a":{"b":[1e999]}}"#, #"{"a":1,"\u0061":2,"a":"x","a":3}"#,
    ])
    func repeatedKeyWithInvalidValueIsSkipped(_ document: String) throws {
        for options in Self.ways {
            #expect(try JSON.decode([String: Int].self, from: JSONBytes(document), options: options) == ["a": 1])
        }
    }

    @Test(arguments: [
        (#"{"a":"x","a":1}"#, ["5 a typeMismatch"]), (#"{"a":"x","a":"y"}"#, ["5 a typeMismatch"]),
        (#"{"a":"x","a":1,"a":"y","a":true}"#, ["5 a typeMismatch"]),
        (#"{"a":1,"a":"x","b":"y","a":"z","b":2}"#, ["19 b typeMismatch"]),
        (#"{"a":"x","b":[],"a":"y","b":{}}"#, ["5 a typeMismatch", "13 b typeMismatch"]),
    ])
    func repeatedKeyReportsOnlyTheErrorOfItsFirstValue(_ document: String, _ expected: [String]) {
        for (options, expected) in zip(Self.ways, [expected[...], expected.prefix(1)]) {
            let issues = failure([String: Int].self, document, options: options)
            #expect(issues.map { "\($0.location.offset) \($0.path) \($0.code)" } == Array(expected))
        }
    }

    @Test(arguments: [#"{"a":1,"a":01}"#, #"{"a":1,"a":"x}"#, #"{"a":1,"a"}"#, #"{"a":1,"a":["x",]}"#])
    func syntaxErrorAfterRepeatedKeyIsReported(_ document: String) {
        for options in Self.ways {
            #expect(failure([String: Int].self, document, options: options).map(\.code) == [.syntax])
        }
    }

    @Test func repeatedKeyIsAnErrorIfDuplicatesAreRejected() {
        let strict = JSONReadingOptions(duplicateKeys: .reject)
        let issues = failure([String: Int].self, #"{"a":1,"a":"x"}"#, options: strict)
        #expect(issues.map(\.code) == [.duplicateKey])
    }

    @Test func keysThatParseEqualCountAsRepeated() throws {
        enum Half: Int, JSONObjectKey {
            case low, high
            init?(jsonKey: String) { self = jsonKey.count < 3 ? .low : .high }
            var jsonKey: String { "\(rawValue)" }
        }
        let read = try JSON.decode([Half: Int].self, from: #"{"a":1,"b":"x","ccc":3,"c":2,"dddd":4}"#)
        #expect(read == [.low: 1, .high: 3])
    }
}
