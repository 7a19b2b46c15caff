internal import WharfJSON

/// Conversion of Cast positions, which are seconds with a fraction.
extension Duration {
    /// Returns nil for a negative number, and for more than thirty years.
    init?(castSeconds json: JSONValue?) {
        guard case .number(let number)? = json?.content, let seconds = number.double, 0...1_000_000_000 ~= seconds
        else {
            return nil
        }
        // Rounds to milliseconds, so that a decimal number gives the same result in spite of binary
        // rounding.
        self = .milliseconds(Int64((seconds * 1000).rounded()))
    }

    var castSeconds: JSONValue {
        let (seconds, attoseconds) = max(self, .zero).components
        guard attoseconds != 0 else { return JSONValue(.number(JSONNumber(seconds))) }
        let text = (Double(seconds) + Double(attoseconds) / 1e18).description
        return JSONNumber(text).map { JSONValue(.number($0)) } ?? 0
    }
}

extension JSONValue {
    var text: String? {
        guard case .string(let text) = content else { return nil }
        return text
    }

    func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
        guard case .number(let number) = content else { return nil }
        return number.integer(type)
    }

    var elements: [JSONValue] {
        guard case .array(let elements) = content else { return [] }
        return elements
    }
}
