/// Generates random JSON documents, deterministic for a seed.
struct RandomDocument {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func document() -> String { value(depth: 4) }

    private mutating func draw(_ count: Int) -> Int {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ (bits >> 31)) % UInt64(count))
    }

    private mutating func value(depth: Int) -> String {
        switch draw(depth > 0 ? 8 : 5) {
        case 0: return ["null", "true", "false"][draw(3)]
        case 1: return "\(draw(1000) - 500)"
        case 2: return ["0.5", "1e2", "-3.25", "18446744073709551615", "123456789012345678901234567890"][draw(5)]
        case 3: return "\"\(Self.texts[draw(Self.texts.count)])\""
        case 4: return "\"\(Self.keys[draw(Self.keys.count)])\""
        case 5: return "[" + (0..<draw(4)).map { _ in value(depth: depth - 1) }.joined(separator: ", ") + "]"
        default: return object(depth: depth - 1)
        }
    }

    private mutating func object(depth: Int) -> String {
        var members: [String] = []
        var taken: Set<String> = []
        for _ in 0..<draw(6) {
            let key = Self.keys[draw(Self.keys.count)]
            if taken.insert(key).inserted { members.append("\"\(key)\": \(value(depth: depth))") }
        }
        return "{" + members.joined(separator: ", ") + "}"
    }

    private static let keys = [
        "id", "type", "kind", "name", "children", "value", "data", "class", "1", "22", "2026-01-31", "user_id",
        "userId", "self", "a b",
        "é", "", "Type", "items", "next", "7f3b6c1e-90a1-4b7a-a1a2-0123456789ab",
    ]
    private static let texts = [
        "", "x", "a b", "2026-01-31T12:00:00Z", "2026-01-31T12:00:00.250Z", "7f3b6c1e-90a1-4b7a-a1a2-0123456789ab",
        "7F3B6C1E-90A1-4B7A-A1A2-0123456789AB", "https://example.com/", "\\\"\\\\\\n", "\\u0000",
    ]
}
