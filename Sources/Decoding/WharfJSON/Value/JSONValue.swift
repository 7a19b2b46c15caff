/// Any JSON value, exactly as in its document.
///
/// It keeps the order of keys, repeated keys, the text of numbers, and the place of each value. It
/// is for tools. Apps do better with types of their own.
///
/// Two values are equal if kind, text, order and children are equal; places do not count. So `1.0`
/// and `1` differ, and so do objects with another order of keys. If that is too strict, compare
/// typed values.
public struct JSONValue: Sendable {
    /// The kind of a value with its content.
    public enum Content: Sendable {
        /// The literal `null`.
        case null
        /// The literal `true` or `false`.
        case bool(Bool)
        /// A number as text, which matches the grammar of RFC 8259 §6.
        case number(JSONNumber)
        /// A string with its escapes resolved.
        case string(String)
        /// The elements in order.
        case array([JSONValue])
        /// The members in document order, including repeated keys.
        case object([JSONMember])
    }

    /// The kind of the value with its content.
    public let content: Content
    /// The range in the document, in bytes; nil for a value that was not read from one.
    public let range: Range<Int>?

    /// Creates a value.
    public init(_ content: Content, range: Range<Int>? = nil) {
        self.content = content
        self.range = range
    }

    /// The first value with this key; nil if there is none, or this is not an object.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = content else { return nil }
        return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }

    /// The element at this index; nil outside the array, or if this is not an array.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = content, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The value at a path; nil if there is none.
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
    /// The key with its escapes resolved.
    public let key: String
    /// The value.
    public let value: JSONValue

    /// Creates a member.
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
    /// The value as compact JSON.
    public var description: String {
        var writer = JSONWriter()
        encode(into: &writer)
        return writer.text()
    }
}
