import Testing
import WharfJSON

@Suite struct DuplicateKeyTests {
    private let strict = JSONReadingOptions(duplicateKeys: .reject)

    @Test(arguments: [
        (#"{"id":1,"id":2}"#, ["8 id"]), (#"{"id":1,"\u0069d":2,"id":3}"#, ["8 id", "20 id"]),
        (#"{"z":1,"id":1,"z":2}"#, ["14 z"]),
        (#"{"id":1,"inner":{"a":[{"b":1,"b":2}],"a":0}}"#, ["29 inner.a[0].b", "37 inner.a"]),
        (#"{"z":{"id":1},"id":1,"y":{"id":{"q":1,"q":2}}}"#, ["38 y.id.q"]), (#"{"id":1,"é":1,"\u00e9":2}"#, ["15 é"]),
        (#"{"id":1,"":1,"":2}"#, ["13 [\"\"]"]),
    ])
    func everyRepeatedKeyIsALocatedErrorIfStrict(_ document: String, _ expected: [String]) {
        let issues = failure(Card.self, document, options: strict)
        #expect(issues.map { "\($0.location.offset) \($0.path)" } == expected)
        #expect(issues.allSatisfy { $0.code == .duplicateKey })
        #expect(failure(Card.self, document).isEmpty)
        #expect(failure(JSONValue.self, document, options: strict).count == expected.count)
    }

    @Test func sameKeyInDifferentObjectsIsNoDuplicate() {
        #expect(
            failure(Card.self, #"{"id":1,"inner":{"id":{"id":1}},"z":[{"id":1},{"id":1}]}"#, options: strict).isEmpty)
    }

    @Test func duplicateKeysAndOtherErrorsComeInOrder() {
        let issues = failure(Card.self, #"{"size":"x","size":1,"id":1000,"#, options: strict)
        #expect(issues.map(\.code) == [.typeMismatch, .duplicateKey, .outOfRange, .syntax])
    }

    @Test func stopsAtFirstErrorReportsOneIssueOnly() throws {
        let stop = JSONReadingOptions(duplicateKeys: .reject, stopsAtFirstError: true)
        for (document, code) in [
            (#"{"id":1,"id":2,"id":3,"z":1,"z":2}"#, JSONIssue.Code.duplicateKey),
            (#"{"id":1,"id":2,"size":"x"}"#, .typeMismatch),
        ] {
            let error = try #require(throws: JSONError.self) {
                try JSON.decode(Card.self, from: JSONBytes(document), options: stop)
            }
            #expect(error.issues.map(\.code) == [code])
            #expect(error.omitted == 0)
        }
    }

    @Test func duplicateKeysBeyondTheLimitAreCounted() throws {
        let document = "{\"id\":1," + Array(repeating: "\"z\":1", count: 5000).joined(separator: ",") + "}"
        let error = try #require(throws: JSONError.self) {
            try JSON.decode(
                Card.self, from: JSONBytes(document), options: .init(duplicateKeys: .reject, maximumIssues: 10))
        }
        #expect(error.issues.count == 10)
        #expect(error.omitted == 4989)
    }
}
