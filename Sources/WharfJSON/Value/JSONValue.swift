/// Any JSON, exactly: the order of keys and repeated keys, the text of numbers, and where each
/// value stood. For tools; an app is better served by types of its own.
///
/// Two values are equal when kind, text, order and children are; where they stood does not count.
/// So `1.0` and `1` are two values, and so are objects whose keys come in another order: compare
/// typed values where that is too much.
public struct JSONValue: Sendable {
    public enum Content: Sendable {
        case null
        case bool(Bool)
        /// By its text, which the grammar of RFC 8259 §6 allows.
        case number(JSONNumber)
        case string(String)
        case array([JSONValue])
        /// In the order of the document, with repeated keys.
        case object([JSONMember])
    }

    public let content: Content
    /// Where it stood in the document, in bytes; nil for a value that was made.
    public let range: Range<Int>?

    public init(_ content: Content, range: Range<Int>? = nil) {
        self.content = content
        self.range = range
    }

    /// The first value with this key; nil where there is none, and for everything that is no
    /// object.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = content else { return nil }
        return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }

    /// nil outside of the array, and for everything that is no array.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = content, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The value at the end of a path; nil where there is none.
    public subscript(path: JSONPath) -> JSONValue? {
        path.steps.reduce(Optional(self)) { value, step in
            switch step {
            case .key(let key): value?[key]
            case .index(let index): value?[index]
            }
        }
    }
}

/// A key and its value.
public struct JSONMember: Sendable {
    public let key: String
    public let value: JSONValue

    public init(_ key: String, _ value: JSONValue) {
        self.key = key
        self.value = value
    }
}

extension JSONValue: JSONDecodable {
    public static func decode(from json: inout JSONReader) -> JSONValue? {
        var builder = JSONValueBuilder()
        return builder.read(&json)
    }
}

extension JSONValue: CustomStringConvertible {
    /// Compact JSON.
    public var description: String {
        var writer = JSONWriter()
        encode(into: &writer)
        return writer.text()
    }
}
