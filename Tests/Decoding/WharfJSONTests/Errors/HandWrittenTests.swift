import Testing
import WharfJSON

/// Hand-written decoders with mistakes: they give an answer and do not crash.
@Suite struct HandWrittenTests {
    @Test(arguments: [
        (Int.min, 0), (-1, 0), (0, 0), (3, 3), (7, 7), (8, 8), (14, 14), (15, 14), (1000, 14), (Int.max, 14),
    ])
    func locationOutsideTheDocumentIsClampedToIt(_ place: Int, _ offset: Int) throws {
        Misplaced.$place.withValue(place) {
            let issues = failure([String: Misplaced].self, "{\"é\": 1, \n\"b\"")
            #expect(issues.map(\.code).contains(.invalidValue))
            #expect(issues.first { $0.code == .invalidValue }?.location.offset == offset)
            #expect(issues.allSatisfy { !$0.description.isEmpty })
        }
        let empty = Misplaced.$place.withValue(place) { failure(Misplaced.self, "1").map(\.location) }
        #expect(empty == [SourceLocation(offset: min(offset, 1), line: 1, column: min(offset, 1) + 1)])
    }

    /// Reports an error at a location other than its own.
    private struct Misplaced: JSONDecodable {
        @TaskLocal static var place = 0

        static func decode(from json: inout JSONReader) -> Misplaced? {
            json.skipValue()
            return json.invalid(at: place, expected: "another value")
        }
    }

    private static let documents: [(document: String, expected: String)] = [
        (#"{"a":1}"#, "1"), (#"{"a":1,"b":2}"#, "1 2"), (#"{"b":2,"a":1}"#, "1 2"),
        ("{ \"a\" : 1 ,\n \"b\" : 2 }", "1 2"), (#"{"z":0,"a":1,"y":[{}],"b":2,"x":{}}"#, "1 2"),
        (#"{"\u0061":1 ,"a":3,"\u0062":2 }"#, "1 2"), (#"{"a":1,"a":3,"b":2}"#, "1 2"), ("{}", ""),
        (#"{"a":1"#, "syntax"), (#"{"a":1,"#, "syntax"), (#"{"a":1,}"#, "syntax"), (#"{"a":1;"b":2}"#, "syntax"),
        (#"{"a":1]"#, "syntax"), (#"{"a":1,2}"#, "syntax"), (#"{"a":"x","b":2}"#, "typeMismatch"),
        (#"{"a":1,"b":02}"#, "syntax"),
    ]

    @Test(arguments: documents) func missingEndFieldCallIsTolerated(_ document: String, _ expected: String) {
        #expect(outcome(Forgetful.self, document) { $0.values } == expected)
        #expect(outcome([Forgetful].self, "[\(document),{\"b\":7}]") { $0[0].values } == expected)
        let every = expected.isEmpty || expected.first?.isNumber == true
        #expect(outcome(ForgetfulKeys.self, document) { _ in "" } == (every ? "" : expected))
        #expect(outcome([ForgetfulKeys].self, "[\(document),{\"b\":7}]") { "\($0.count)" } == (every ? "2" : expected))
    }

    /// An object that ends early must not end an array around it.
    @Test(arguments: [#"[{"a":1,{}]"#, #"[{"a":1,2]"#, #"[{"a":1]"#, #"[{"a":1,"b":2]"#])
    func missingEndFieldCallHidesNoSyntaxError(_ document: String) {
        #expect(failure([Forgetful].self, document).map(\.code) == [.syntax])
        #expect(failure([ForgetfulKeys].self, document).map(\.code) == [.syntax])
    }

    private func outcome<Value: JSONDecodable>(
        _ type: Value.Type, _ document: String, _ text: (Value) -> String
    ) -> String {
        do throws(JSONError) {
            return text(try JSON.decode(type, from: document))
        } catch {
            return error.issues.map(\.code.name).joined(separator: " ")
        }
    }

    /// Does not call `endField` after its values.
    private struct Forgetful: JSONDecodable {
        let values: String

        static func decode(from json: inout JSONReader) -> Forgetful? {
            guard var fields = json.beginObject() else { return nil }
            var values: [Int?] = [nil, nil]
            repeat {
                if json.key("a", 0, &fields) { values[0] = Int.decode(from: &json) }
                if json.key("b", 1, &fields) { values[1] = Int.decode(from: &json) }
            } while json.next(&fields)
            return Forgetful(values: values.compactMap { $0?.description }.joined(separator: " "))
        }
    }

    /// The same with keys that are known only at run time.
    private struct ForgetfulKeys: JSONDecodable {
        static func decode(from json: inout JSONReader) -> ForgetfulKeys? {
            guard var fields = json.beginObject() else { return nil }
            while let (_, key) = json.nextKey(&fields) {
                if key == "a" || key == "b" { _ = Int.decode(from: &json) } else { json.skipValue() }
            }
            return ForgetfulKeys()
        }
    }
}
