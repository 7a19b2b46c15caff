import Testing
import WharfCore
import WharfRandom

@testable import WharfHTTP

@Suite struct AuthenticationChallengeTests {
    private func parse(_ fields: String...) -> [AuthenticationChallenge] {
        var response = HTTPResponse(status: .unauthorized)
        for field in fields { response.headerFields.append(HTTPField(name: .wwwAuthenticate, value: field)) }
        return response.authenticationChallenges
    }

    @Test func readsTheExampleOfTheSpecification() {
        // RFC 9110 §11.6.1.
        let field = #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#
        #expect(
            parse(field) == [
                .init(scheme: "basic", parameters: ["realm": "simple"]),
                .init(scheme: "newauth", parameters: ["realm": "apps", "type": "1", "title": "Login to \"apps\""]),
            ])
    }

    @Test func severalFieldsAreOneList() {
        #expect(parse("Negotiate", "Basic realm=x", "").map(\.scheme) == ["negotiate", "basic"])
        #expect(parse("Basic realm=x").first?.realm == "x")
        #expect(parse() == [])
    }

    @Test(arguments: [
        ("Negotiate", "negotiate"), ("Negotiate, NTLM", "negotiate, ntlm"),
        (" ,, Negotiate ,\t, NTLM , ", "negotiate, ntlm"),
        ("Negotiate YII+/-._~==", "negotiate YII+/-._~=="),
        ("Negotiate abc= , Basic realm=r", "negotiate abc=, basic realm=\"r\""),
        ("A b", "a b"), ("A b=", "a b="), ("A b=c", "a b=\"c\""), ("A b = c", "a b=\"c\""), ("A  \tb=\"\"", "a b=\"\""),
        ("A ,b=c", "a b=\"c\""), ("A b=\"x, B y=z\"", "a b=\"x, B y=z\""), ("A b=c, B", "a b=\"c\", b"),
        ("A B=1, b=2", "a b=\"1\""), ("A b=\"\\\\\\\"\"", "a b=\"\\\\\\\"\""),
        (
            "Bearer error=\"invalid_token\",realm=r, Digest nonce=\"n\"",
            "bearer error=\"invalid_token\", realm=\"r\", digest nonce=\"n\""
        ),
    ])
    func wellFormedChallengesAreParsed(field: String, canonical: String) {
        #expect(parse(field).map(\.description).joined(separator: ", ") == canonical)
    }

    @Test(arguments: [
        ("Basic realm=\"open", []), ("Basic realm=\"x\\", []), ("Good, Basic realm=\"open", ["good"]), ("=", []),
        ("\"x\"", []),
        ("A b=\"c\"d, B", []), ("A b c", []), ("Good x=y, A;b, C", ["good"]), ("A b=\"c\" d=e", []),
        ("A b=,c=d", ["a"]),
    ])
    func syntaxErrorEndsItsFieldOnly(field: String, schemes: [String]) {
        #expect(parse(field).map(\.scheme) == schemes)
        #expect(parse(field, "Basic realm=x").map(\.scheme) == schemes + ["basic"])
    }

    // MARK: Properties

    private static let tokens = Array("abcXYZ019!#$%&'*+-.^_`|~")
    private static let texts = Array("ab \t,=\"\\;/éß日🎟~")

    private static func word(
        _ letters: [Character], _ lengths: ClosedRange<Int>, _ random: inout SeededGenerator
    ) -> String {
        String((0..<Int.random(in: lengths, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
    }

    private static func challenge(_ random: inout SeededGenerator) -> AuthenticationChallenge {
        let scheme = word(tokens, 1...8, &random).lowercased()
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return AuthenticationChallenge(scheme: scheme)
        case 1:
            let body = word(Array("abcXYZ019-._~+/"), 1...12, &random)
            return AuthenticationChallenge(
                scheme: scheme, token: body + String(repeating: "=", count: Int.random(in: 0..<3, using: &random)))
        default:
            var parameters: [String: String] = [:]
            for _ in 0..<Int.random(in: 1..<5, using: &random) {
                parameters[word(tokens, 1...6, &random).lowercased()] = word(texts, 0...10, &random)
            }
            return AuthenticationChallenge(scheme: scheme, parameters: parameters)
        }
    }

    @Test(arguments: UInt64(0)..<20)
    func challengesRoundTripThroughTheirText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let written = (0..<Int.random(in: 0..<5, using: &random)).map { _ in Self.challenge(&random) }
            let gap = [", ", ",", " ,\t", ",, ,"].randomElement(using: &random) ?? ","
            var parser = ChallengeParser(written.map(\.description).joined(separator: gap))
            #expect(parser.challenges() == written, "seed \(seed)")
        }
    }

    @Test(arguments: UInt64(0)..<20)
    func noiseIsReadWithoutATrapAndTheSameASecondTime(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "Basic", "realm", "=", "\"", "\\", ",", " ", "\t", "x", "==", "Digest nonce=\"n\"", "é", ";", "\u{0}",
        ]
        for _ in 0..<500 {
            let field = (0..<Int.random(in: 0..<20, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            var parser = ChallengeParser(field)
            let found = parser.challenges()
            var again = ChallengeParser(found.map(\.description).joined(separator: ", "))
            #expect(again.challenges() == found, "seed \(seed): \(field.debugDescription)")
        }
    }
}
