import Testing
import WharfChecks

@Suite struct EnumExpansionTests {
    @Test func stringRawValuesAreComparedInPlace() {
        Expansion.check(
            """
            @JSONCodable package enum Suit: String {
                case hearts, spades = "SPADES"
            }
            """,
            becomes: """
                package enum Suit: String {
                    case hearts, spades = "SPADES"
                }

                extension Suit: JSONDecodable {
                    package static func decode(from json: inout JSONReader) -> Self? {
                        if json.take("hearts") { return .hearts }
                        if json.take("SPADES") { return .spades }
                        let start = json.offset
                        guard let text = json.string() else { return nil }
                        if let known = Self(rawValue: text) { return known }
                        return json.invalid(at: start, .unknownCase, expected: "one of \\"hearts\\", \\"SPADES\\"")
                    }
                }

                extension Suit: JSONEncodable {
                    package func encode(into json: inout JSONWriter) {
                        json.string(rawValue)
                    }
                }
                """)
    }

    @Test func otherRawValuesAreReadAsTheirType() {
        Expansion.check(
            """
            @JSONCodable enum Code: Int {
                case fine = 200
                @JSONUnknown case other = -1
            }
            """,
            becomes: """
                enum Code: Int {
                    case fine = 200
                    case other = -1
                }

                extension Code: JSONDecodable {
                    static func decode(from json: inout JSONReader) -> Self? {
                        guard let value = Int.decode(from: &json) else { return nil }
                        return Self(rawValue: value) ?? .other
                    }
                }

                extension Code: JSONEncodable {
                    func encode(into json: inout JSONWriter) {
                        rawValue.encode(into: &json)
                    }
                }
                """)
    }

    @Test func casesWithoutRawValuesGoByNameAndUnknownTextIsKept() {
        Expansion.check(
            """
            @JSONCodable enum Color {
                case red
                @JSONCase("dark-blue") case blue
                case unknown(String)
            }
            """,
            becomes: """
                enum Color {
                    case red
                    case blue
                    case unknown(String)
                }

                extension Color: JSONDecodable {
                    static func decode(from json: inout JSONReader) -> Self? {
                        if json.take("red") { return .red }
                        if json.take("dark-blue") { return .blue }
                        guard let text = json.string() else { return nil }
                        switch text {
                        case "red": return .red
                        case "dark-blue": return .blue
                        default: return .unknown(text)
                        }
                    }
                }

                extension Color: JSONEncodable {
                    func encode(into json: inout JSONWriter) {
                        switch self {
                        case .red: json.string("red")
                        case .blue: json.string("dark-blue")
                        case .unknown(let text): json.string(text)
                        }
                    }
                }
                """)
    }
}
