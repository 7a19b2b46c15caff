import Testing
import WharfCache
import WharfCore

@Suite struct VaryFieldsTests {
    @Test(
        arguments: [
            ("Accept", [.accept: "a"], [.accept: "a"], true),
            ("Accept", [.accept: "a"], [.accept: "b"], false),
            ("Accept", [.accept: "a"], [.accept: "A"], false),
            ("Accept", [.accept: "a"], [:], false),
            ("Accept", [:], [:], true),
            ("Accept", [:], [.accept: ""], false),
            ("Accept", [.accept: ""], [.accept: ""], true),
            ("Accept", [.accept: ""], [:], false),
            ("accept, ACCEPT-LANGUAGE", [.accept: "a"], [.accept: "a"], true),
            ("accept, accept-language", [.accept: "a"], [.accept: "a", .acceptLanguage: "de"], false),
            ("Accept", [.accept: "a"], [.accept: "a", .acceptLanguage: "de"], true),
            ("Accept", [.accept: "a, b"], [.accept: "a,b"], true),
            ("Accept", [.accept: "a, b"], [.accept: " a ,\tb "], true),
            ("Accept", [.accept: "a, b"], [.accept: "b, a"], false),
            // RFC 9111 §4.1: case does not count where its field says so.
            ("Accept-Language", [.acceptLanguage: "en, de"], [.acceptLanguage: "eN,De"], true),
            ("Accept-Encoding", [.acceptEncoding: "gzip"], [.acceptEncoding: "GZIP"], true),
            ("Accept-Language", [.acceptLanguage: "en, de"], [.acceptLanguage: "de, en"], false),
            ("Accept-Language", [.acceptLanguage: "en;q=1"], [.acceptLanguage: "en"], false),
            ("*", [:], [:], false),
            ("*, Accept", [.accept: "a"], [.accept: "a"], false),
            ("Accept,*", [.accept: "a"], [.accept: "a"], false),
            ("Accept, , not a name", [.accept: "a"], [.accept: "a"], false),
            ("", [.accept: "a"], [:], true),
        ] as [(String, HTTPFields, HTTPFields, Bool)])
    func comparesTheFieldsThatVaryNames(vary: String, first: HTTPFields, second: HTTPFields, isMatch: Bool) {
        let fields = VaryFields([.vary: vary])
        #expect(fields.match(fields.values(in: first), second) == isMatch)
    }

    /// RFC 9110 §12.5.3.
    @Test(
        arguments: [
            (nil, true), ("gzip", true), ("", true), ("identity", true), ("br;q=0", true), ("gzip, *;q=0.5", true),
            ("identity;q=0", false), ("gzip, identity; Q=0.000", false), ("*;q=0", false), ("gzip, *;q=0", false),
            ("*;q=0, identity", true), ("identity;q=0, *", false),
        ] as [(String?, Bool)])
    func unencodedBodySuitsWhoeverAcceptsIdentity(asked: String?, isMatch: Bool) {
        let fields = VaryFields([.vary: "Accept-Encoding"])
        var request = HTTPFields()
        request[.acceptEncoding] = asked
        #expect(fields.match([.acceptEncoding: "zstd"], request, suitsAnyCoding: true) == isMatch)
        #expect(!fields.match([.acceptEncoding: "zstd"], request))
    }

    @Test func otherFieldsStillSelectAnUnencodedBody() {
        let fields = VaryFields([.vary: "Accept-Encoding, Accept"])
        #expect(!fields.match([.accept: "a"], [.accept: "b"], suitsAnyCoding: true))
    }

    @Test func severalLinesAreOneList() {
        var fields = HTTPFields()
        for value in ["Accept", "Accept-Language"] { fields.append(HTTPField(name: .vary, value: value)) }
        #expect(VaryFields(fields) == .names([.accept, .acceptLanguage]))
        fields.append(HTTPField(name: .vary, value: "X, *"))
        #expect(VaryFields(fields) == .any)
    }

    @Test func linesOfARequestAreOneValue() {
        var lines = HTTPFields()
        for value in ["a", "b"] { lines.append(HTTPField(name: .accept, value: value)) }
        let fields = VaryFields([.vary: "accept"])
        #expect(fields.match(fields.values(in: lines), [.accept: "a, b"]))
    }
}
