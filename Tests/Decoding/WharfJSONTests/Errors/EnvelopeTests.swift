import Testing
import WharfJSON

@Suite struct EnvelopeTests {
    @Test func theValueAtAPathIsReadAndTheRestIsChecked() throws {
        let document = #"{"meta": [1], "d\u0061ta": {"x": null, "user": 7, "user": 8}, "data": {"user": 9}}"#
        #expect(try JSON.decode(Int.self, from: document, at: "data", "user") == 7)
        #expect(try JSON.decode(Int.self, from: Array(document.utf8), at: "data", "user") == 7)
        #expect(throws: JSONError.self) {
            try JSON.decode(Int.self, from: #"{"data": {"user": 7}, "x": 01}"#, at: "data", "user")
        }
    }

    @Test(arguments: [
        (#"{"meta": {}}"#, "0 data missingKey"), (#"{"data": {"x": 1}}"#, "9 data.user missingKey"),
        (#"{"data": [7]}"#, "9 data typeMismatch"), (#"{"data": null}"#, "9 data typeMismatch"),
        ("[]", "0  typeMismatch"),
        (#"{"data": {"user": "x"}}"#, "18 data.user typeMismatch"), (#"{"data": {"user": 7}"#, "20 data syntax"),
        ("", "0  syntax"),
    ])
    func unreachableValueIsReportedWithItsPath(_ document: String, _ expected: String) throws {
        for stops in [false, true] {
            let error = try #require(throws: JSONError.self) {
                try JSON.decode(
                    Int.self, from: JSONBytes(document), at: "data", "user", options: .init(stopsAtFirstError: stops))
            }
            #expect(error.issues.map { "\($0.location.offset) \($0.path) \($0.code)" } == [expected])
        }
    }

    @Test func typeReturningNilWithoutIssueIsAnError() throws {
        struct Mute: JSONDecodable {
            static func decode(from json: inout JSONReader) -> Mute? {
                json.skipValue()
                return nil
            }
        }
        let error = try #require(throws: JSONError.self) { try JSON.decode(Mute.self, from: "1") }
        #expect(error.issues.map(\.code) == [.invalidValue])
        #expect(error.issues[0].expected == "a Mute")
    }
}
