public import WharfJSON
import WharfMacros

@JSONCodable enum Suit: String, Sendable { case hearts, spades = "SPADES", accented = "caf\u{e9}" }

@JSONCodable enum Level: Int { case low = 1, high }

@JSONCodable enum Status: String {
    case open, closed
    @JSONUnknown case other
}

@JSONCodable enum Code: Int {
    case fine = 200
    case gone = 410
    @JSONUnknown case other = -1
}

@JSONCodable enum Color: Hashable {
    case red
    @JSONCase("dark-blue") case blue
    case `default`
    case unknown(String)
}

@JSONCodable enum Wind: Hashable {
    case north, south
    @JSONUnknown case elsewhere
}

@JSONCodable public enum Visible: String, JSONCodable { case one, two }
