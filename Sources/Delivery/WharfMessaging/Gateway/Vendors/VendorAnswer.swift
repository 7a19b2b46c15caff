internal import WharfJSON

/// The answer of a vendor, as JSON.
///
/// Its texts appear in failures, so they are on one line, and a name is short and an identifier.
struct VendorAnswer {
    private let value: JSONValue

    /// Parses an answer; nil for a body that is not JSON.
    init?(_ body: [UInt8]) {
        guard let value = try? JSON.decode(JSONValue.self, from: body) else { return nil }
        self.value = value
    }

    func flag(_ key: String) -> Bool? {
        if case .bool(let flag) = value[key]?.content { flag } else { nil }
    }

    func number(_ key: String, in object: String? = nil) -> Int? {
        let value: JSONValue? = if let object { self.value[object] } else { self.value }
        guard case .number(let number) = value?[key]?.content else { return nil }
        return number.integer()
    }

    /// Returns a text on one line; nil if there is none.
    func text(_ key: String) -> String? {
        guard case .string(let text) = value[key]?.content else { return nil }
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// Returns the name of an error, such as `channel_not_found`.
    ///
    /// It is nil for a text that is longer than 60 bytes or not an identifier.
    func name(_ key: String) -> String? {
        guard let text = text(key), text.utf8.count <= 60,
            text.utf8.allSatisfy({ EmailAddress.isAlphanumeric($0) || $0 == UInt8(ascii: "_") })
        else { return nil }
        return text
    }
}
