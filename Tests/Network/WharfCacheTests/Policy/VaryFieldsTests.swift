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
