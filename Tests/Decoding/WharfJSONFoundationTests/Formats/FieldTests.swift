import Foundation
import Testing
import WharfJSON
import WharfJSONFoundation

/// Foundation's types as fields of a directly decoded type.
@Suite struct FieldTests {
    private static let whole = """
        {"date":"2026-11-21T06:30:00Z","data":"Zm9v","url":"https://example.com/a?b=1",\
        "uuid":"F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6","price":19.90,\
        "seconds":1795242600.5,"millis":1795242600500,\
        "link":"/x","seen":null,"since":1.5,"until":null,\
        "days":["2001-01-01T00:00:00Z",null],"stamps":[0,1],"byID":{"F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6":"YQ=="},\
        "prices":{"a":0.1,"b":1e2}}
        """

    @Test func fieldsAreReadInTheirFormats() throws {
        let record = try JSON.decode(Record.self, from: Self.whole)
        let date = Date(timeIntervalSince1970: 1_795_242_600)
        let uuid = try #require(UUID(uuidString: "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"))
        #expect(record.date == date)
        #expect(record.data == Data("foo".utf8))
        #expect(record.url == URL(string: "https://example.com/a?b=1"))
        #expect(record.uuid == uuid)
        #expect(record.price == Decimal(string: "19.9"))
        #expect(record.seconds == date + 0.5)
        #expect(record.millis == date + 0.5)
        #expect(record.link == URL(string: "/x"))
        #expect(record.seen == .some(nil))
        #expect(record.since == Date(timeIntervalSince1970: 1.5))
        #expect(record.until == .some(nil))
        #expect(record.days == [Date(timeIntervalSinceReferenceDate: 0), nil])
        #expect(record.stamps == [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1)])
        #expect(record.byID == [uuid: Data("a".utf8)])
        #expect(record.prices == ["a": Decimal(1) / 10, "b": 100])
    }

    @Test func fieldsRoundTripInTheirFormats() throws {
        let record = try JSON.decode(Record.self, from: Self.whole)
        let written = try JSON.encode(record)
        #expect(try JSON.decode(Record.self, from: JSONBytes(written)) == record)
        // Unchanged except for the zero and the order of the dictionary.
        let expected = Self.whole.replacing("19.90", with: "19.9")
        let text = String(decoding: written, as: UTF8.self)
        #expect(
            text.split(separator: #","prices""#)[0] == expected.split(separator: #","prices""#)[0])
    }

    @Test func optionalFieldsMayBeAbsentOrNull() throws {
        var record = try JSON.decode(Record.self, from: Self.whole)
        for key in ["link", "seen", "since", "until"] {
            let document = Self.whole.replacing(#""\#(key)":"#, with: #""other":"#)
            let other = try JSON.decode(Record.self, from: document)
            switch key {
            case "link": #expect(other.link == nil)
            // Absent, which differs from null.
            case "seen": #expect(other.seen == .none)
            case "since": #expect(other.since == nil)
            default: #expect(other.until == .none)
            }
            let text = String(decoding: try JSON.encode(other), as: UTF8.self)
            #expect(!text.contains(key))
        }
        (record.link, record.since) = (nil, nil)
        let nulls = Self.whole.replacing(#""/x""#, with: "null").replacing("1.5,", with: "null,")
        #expect(try JSON.decode(Record.self, from: nulls) == record)
    }

    struct Fault: CustomTestStringConvertible, Sendable {
        /// The field of the complete document that is replaced.
        let field: String
        let instead: String
        let code: JSONIssue.Code
        let path: String
        /// The column of the error, relative to the start of the value.
        var column = 0
        var testDescription: String { "\(field): \(instead)" }
    }

    static let faults = [
        Fault(field: "date", instead: "2026", code: .typeMismatch, path: "date"),
        Fault(field: "date", instead: "null", code: .typeMismatch, path: "date"),
        Fault(field: "date", instead: #""2026-02-29T00:00:00Z""#, code: .invalidValue, path: "date"),
        Fault(field: "data", instead: #""Zm9""#, code: .invalidValue, path: "data"),
        Fault(field: "data", instead: "[1]", code: .typeMismatch, path: "data"),
        Fault(field: "url", instead: #""a b""#, code: .invalidValue, path: "url"),
        Fault(field: "url", instead: "null", code: .typeMismatch, path: "url"),
        Fault(field: "uuid", instead: #""x""#, code: .invalidValue, path: "uuid"),
        Fault(field: "uuid", instead: "{}", code: .typeMismatch, path: "uuid"),
        Fault(field: "price", instead: #""19.90""#, code: .typeMismatch, path: "price"),
        Fault(field: "price", instead: "1e999", code: .outOfRange, path: "price"),
        Fault(field: "seconds", instead: #""1""#, code: .typeMismatch, path: "seconds"),
        Fault(field: "seconds", instead: "null", code: .typeMismatch, path: "seconds"),
        Fault(field: "seconds", instead: "-1e999", code: .outOfRange, path: "seconds"),
        Fault(field: "millis", instead: "true", code: .typeMismatch, path: "millis"),
        Fault(field: "link", instead: #""%zz""#, code: .invalidValue, path: "link"),
        Fault(field: "seen", instead: "0", code: .typeMismatch, path: "seen"),
        Fault(field: "since", instead: "[]", code: .typeMismatch, path: "since"),
        Fault(field: "until", instead: "1e999", code: .outOfRange, path: "until"),
        Fault(field: "days", instead: #"[null, "x"]"#, code: .invalidValue, path: "days[1]", column: 7),
        Fault(field: "stamps", instead: "[1, null]", code: .typeMismatch, path: "stamps[1]", column: 4),
        Fault(field: "byID", instead: #"{ "x": "YQ=="}"#, code: .invalidValue, path: "byID.x", column: 2),
        Fault(
            field: "byID", instead: #"{"F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6": 1}"#, code: .typeMismatch,
            path: "byID.F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6", column: 41),
        Fault(field: "prices", instead: #"{"a": 1, "b": 1e-999}"#, code: .outOfRange, path: "prices.b", column: 14),
    ]

    @Test(arguments: faults) func invalidFieldIsReportedWithItsLocation(_ fault: Fault) throws {
        // Each field is on its own line.
        var lines = Self.fields.map { "\"\($0.key)\":\($0.value)" }
        let index = try #require(Self.fields.firstIndex { $0.key == fault.field })
        lines[index] = "  \"\(fault.field)\": \(fault.instead)"
        let error = try #require(throws: JSONError.self) {
            try JSON.decode(Record.self, from: "{\n\(lines.joined(separator: ",\n"))}")
        }
        #expect(error.issues.count == 1)
        #expect(error.code == fault.code)
        #expect(error.path.description == fault.path)
        #expect(error.location.line == index + 2)
        #expect(error.location.column == fault.field.utf8.count + 7 + fault.column)
    }

    @Test func missingFieldsAreReportedTogether() throws {
        let error = try #require(throws: JSONError.self) {
            try JSON.decode(Record.self, from: #"{"date": null, "seen": null}"#)
        }
        #expect(
            error.issues.map { "\($0.path) \($0.code)" } == [
                "data missingKey", "url missingKey", "uuid missingKey", "price missingKey", "seconds missingKey",
                "millis missingKey", "days missingKey", "stamps missingKey", "byID missingKey", "prices missingKey",
                "date typeMismatch",
            ])
    }

    private static let fields: [(key: String, value: String)] = [
        ("date", #""2026-11-21T06:30:00Z""#), ("data", #""""#), ("url", #""a""#),
        ("uuid", #""F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6""#), ("price", "1"), ("seconds", "0"), ("millis", "0"),
        ("link", "null"), ("seen", "null"), ("since", "null"), ("until", "null"), ("days", "[]"), ("stamps", "[]"),
        ("byID", "{}"), ("prices", "{}"),
    ]
}
