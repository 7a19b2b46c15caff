import Testing
import WharfChecks

@Suite struct UnionExpansionTests {
    @Test func aUnionIsReadByItsTag() {
        Expansion.check(
            """
            @Polymorphic(discriminator: "type", content: "attributes")
            enum Shape {
                case square(Square)
                @JSONCase("circ") case circle(Circle)
                case nowhere
                case unknown(UnknownElement)
            }
            """,
            becomes: """
                enum Shape {
                    case square(Square)
                    case circle(Circle)
                    case nowhere
                    case unknown(UnknownElement)
                }

                extension Shape: JSONDecodable, JSONEncodable, JSONPolymorphic {
                    enum Kind: String, CaseIterable, Sendable {
                        case square
                        case circle = "circ"
                        case nowhere
                        case unknown
                    }

                    static var discriminator: StaticString { "type" }
                    static var content: StaticString? { "attributes" }

                    var kind: Kind {
                        switch self {
                        case .square: .square
                        case .circle: .circle
                        case .nowhere: .nowhere
                        case .unknown: .unknown
                        }
                    }

                    static func takeKind(_ json: inout JSONReader) -> Kind? {
                        if json.take("square") { return .square }
                        if json.take("circ") { return .circle }
                        if json.take("nowhere") { return .nowhere }
                        return nil
                    }

                    static func decode(_ kind: Kind, from json: inout JSONReader) -> Self? {
                        switch kind {
                        case .square: return json.payload(Square.self).map { .square($0) }
                        case .circle: return json.payload(Circle.self).map { .circle($0) }
                        case .nowhere:
                            json.skipValue()
                            return Self.nowhere
                        case .unknown: return nil
                        }
                    }

                    func encodeContent(into json: inout JSONWriter) {
                        switch self {
                        case .square(let payload): json.payload(payload)
                        case .circle(let payload): json.payload(payload)
                        case .nowhere:
                            json.beginObject()
                            json.endObject()
                        case .unknown(let element): element.encode(into: &json)
                        }
                    }

                    static func empty(_ kind: Kind) -> Self? {
                        switch kind {
                        case .nowhere: Self.nowhere
                        default: nil
                        }
                    }

                    static var unknownKind: Kind? { .unknown }
                    static func keep(_ element: UnknownElement) -> Self? { .unknown(element) }

                    var unknownElement: UnknownElement? {
                        if case .unknown(let element) = self { element } else { nil }
                    }
                }

                extension Shape: Decodable {
                    init(from decoder: any Decoder) throws {
                        let element = try PolymorphicDecoder<Self>(decoder)
                        switch element.kind {
                        case .square?: self = .square(try element.payload(Square.self))
                        case .circle?: self = .circle(try element.payload(Circle.self))
                        case .nowhere?: self = .nowhere
                        case .unknown?, nil: self = .unknown(try element.unknown())
                        }
                    }
                }

                extension Shape: Encodable {
                    func encode(to encoder: any Encoder) throws {
                        let element = PolymorphicEncoder<Self>(encoder)
                        switch self {
                        case .square(let payload): try element.encode(.square, payload)
                        case .circle(let payload): try element.encode(.circle, payload)
                        case .nowhere: try element.encode(.nowhere)
                        case .unknown(let unknown): try unknown.encode(to: encoder)
                        }
                    }
                }
                """)
    }

    @Test func withoutContentTheTagStandsInThePayload() {
        Expansion.check(
            """
            @Polymorphic(discriminator: "kind")
            public enum Event {
                case opened(Opened)
            }
            """,
            becomes: """
                public enum Event {
                    case opened(Opened)
                }

                extension Event: JSONDecodable, JSONEncodable, JSONPolymorphic {
                    public enum Kind: String, CaseIterable, Sendable {
                        case opened
                    }

                    public static var discriminator: StaticString { "kind" }
                    public static var content: StaticString? { nil }

                    public var kind: Kind {
                        switch self {
                        case .opened: .opened
                        }
                    }

                    public static func takeKind(_ json: inout JSONReader) -> Kind? {
                        if json.take("opened") { return .opened }
                        return nil
                    }

                    public static func decode(_ kind: Kind, from json: inout JSONReader) -> Self? {
                        switch kind {
                        case .opened: return json.payload(Opened.self).map { .opened($0) }
                        }
                    }

                    public func encodeContent(into json: inout JSONWriter) {
                        switch self {
                        case .opened(let payload): json.payload(payload)
                        }
                    }
                }

                extension Event: Decodable {
                    public init(from decoder: any Decoder) throws {
                        let element = try PolymorphicDecoder<Self>(decoder)
                        switch element.kind {
                        case .opened?: self = .opened(try element.payload(Opened.self))
                        case nil: throw element.unknownKind()
                        }
                    }
                }

                extension Event: Encodable {
                    public func encode(to encoder: any Encoder) throws {
                        let element = PolymorphicEncoder<Self>(encoder)
                        switch self {
                        case .opened(let payload): try element.encode(.opened, payload)
                        }
                    }
                }
                """)
    }
}
