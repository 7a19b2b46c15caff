internal import WharfCore
internal import WharfJSON

/// A parser for one item of a query over entities.
struct QueryText {
    /// The deepest nesting of conditions: deeper than a hand-written query, and safe for any stack.
    private static let deepest = 64

    private let name: String
    private let bytes: [UInt8]
    private var place = 0
    private var depth = 0

    init(_ name: String, _ text: String) {
        self.name = name
        bytes = Array(text.utf8)
    }

    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2E, 0x2D: true
        default: false
        }
    }

    mutating func condition() throws(ReadFailure) -> Condition {
        depth += 1
        defer { depth -= 1 }
        // The parser recurses, and the text comes from a URL. Without a limit it could exhaust the
        // stack.
        guard depth <= Self.deepest else { throw failure("at most \(Self.deepest) conditions in one another") }
        let start = place
        let function = word()
        try take("(")
        let condition: Condition
        switch function {
        case "eq": condition = .equal(try fieldAndComma(), try value())
        case "in":
            let field = try field()
            var values: Set<FieldValue> = []
            while take(if: ",") { values.insert(try value()) }
            condition = .isIn(field, values)
        case "prefix": condition = .hasPrefix(try fieldAndComma(), try string())
        case "words": condition = .hasWords(try fieldAndComma(), SearchWords(try string()))
        case "and": condition = .all(try conditions())
        case "or": condition = .any(try conditions())
        case "not": condition = .not(try self.condition())
        case let function:
            guard let order = Condition.Order.allCases.first(where: { $0.name == function }) else {
                place = start
                throw failure("eq, lt, le, gt, ge, in, prefix, words, and, or or not")
            }
            condition = .ordered(try fieldAndComma(), order, try value())
        }
        try take(")")
        return condition
    }

    private mutating func conditions() throws(ReadFailure) -> [Condition] {
        if peek == 0x29 { return [] }
        return try list { text throws(ReadFailure) in try text.condition() }
    }

    /// Reads one or more elements, separated by commas.
    mutating func list<Element>(
        of element: (inout QueryText) throws(ReadFailure) -> Element
    ) throws(ReadFailure) -> [Element] {
        var elements = [try element(&self)]
        while take(if: ",") { elements.append(try element(&self)) }
        return elements
    }

    mutating func sortKey() throws(ReadFailure) -> SortKey {
        let isDescending = take(if: "-")
        return SortKey(try field(), descending: isDescending)
    }

    mutating func limit() throws(ReadFailure) -> Int {
        let start = place
        guard case .integer(let number) = try number().form, number >= 0, let limit = Int(exactly: number) else {
            place = start
            throw failure("a whole number from 0 on")
        }
        return limit
    }

    mutating func cursor() throws(ReadFailure) -> Cursor {
        var values = try list { text throws(ReadFailure) in try text.value() }
        guard case .text(let id)? = values.popLast()?.form else { throw failure("the id, as a string, at the end") }
        return Cursor(values: values, id: id)
    }

    func end() throws(ReadFailure) {
        guard place == bytes.count else { throw failure("the end") }
    }

    // MARK: Pieces

    private mutating func fieldAndComma() throws(ReadFailure) -> String {
        let field = try field()
        try take(",")
        return field
    }

    private mutating func field() throws(ReadFailure) -> String {
        if peek == 0x22 { return try string() }
        let name = word()
        guard !name.isEmpty else { throw failure("the name of a field") }
        return name
    }

    private mutating func value() throws(ReadFailure) -> FieldValue {
        switch peek {
        case 0x22: return FieldValue(try string())
        case 0x6E where bytes[place...].starts(with: "null".utf8):
            place += 4
            return .null
        default: return try number()
        }
    }

    private mutating func number() throws(ReadFailure) -> FieldValue {
        let start = place
        // All characters that a number may have; the conversion below decides whether it is one.
        while let byte = peek, (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte) {
            place += 1
        }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        // Integers first: a double has 53 bits, and large ids would lose digits.
        if let number = Int64(text) { return FieldValue(number) }
        guard let number = Double(text) else {
            place = start
            throw failure("a number, a string or null")
        }
        return FieldValue(number)
    }

    private mutating func string() throws(ReadFailure) -> String {
        let start = place
        guard take(if: "\"") else { throw failure("a string") }
        // A backslash and the byte after it belong together, so an escaped quote does not end the
        // string.
        while let byte = peek, byte != 0x22 { place += byte == 0x5C ? 2 : 1 }
        place = min(place + 1, bytes.count)
        do {
            return try JSON.decode(String.self, from: Array(bytes[start..<place]))
        } catch {
            place = start
            throw failure("a string as in JSON")
        }
    }

    private mutating func word() -> String {
        let start = place
        while let byte = peek, Self.isNameByte(byte) { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func take(if character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func take(_ character: Unicode.Scalar) throws(ReadFailure) {
        guard take(if: character) else { throw failure("\"\(character)\"") }
    }

    private func failure(_ expected: String) -> ReadFailure {
        let found =
            place < bytes.count ? "\"\(String(decoding: bytes[place...].prefix(24), as: UTF8.self))\"" : "the end"
        return ReadFailure(
            .invalidRequest, message: "expected \(expected) at byte \(place) of the query item \(name), found \(found)")
    }
}
