/// An element with a tag that this version of the app does not know.
///
/// It is kept so that it can be written back.
public struct UnknownElement: Sendable, Hashable {
    /// The text of its tag.
    public let kind: String
    /// The whole element as in the document, including the tag.
    public let json: [UInt8]

    /// Creates an element from its JSON.
    ///
    /// - Parameter json: one whole value, which is written back as it is.
    /// - Throws: ``JSONError`` if `json` is not one whole value by RFC 8259.
    public init(kind: String, json: [UInt8]) throws(JSONError) {
        var reader = JSONReader(JSONBytes(json), options: .deepest)
        // A byte order mark may precede a document, but not a value in one.
        if json.starts(with: [0xEF, 0xBB, 0xBF]) { reader.noteSyntax("a value", at: reader.base) }
        reader.skipValue()
        try reader.finish()
        self.init(kind: kind, checked: json)
    }

    /// - Parameter json: a value that a reader checked or a writer wrote.
    init(kind: String, checked json: [UInt8]) {
        self.kind = kind
        self.json = json
    }

    /// Returns the element as a value.
    ///
    /// - Throws: ``JSONError`` if ``json`` is not a value.
    public func value() throws(JSONError) -> JSONValue {
        try JSON.decode(from: JSONBytes(json), options: .deepest)
    }
}

extension UnknownElement: JSONEncodable {
    /// Writes the element byte for byte.
    public func encode(into json: inout JSONWriter) { json.raw(self.json) }
}

extension UnknownElement: CustomStringConvertible {
    public var description: String { "\(kind): \(String(decoding: json, as: UTF8.self))" }
}
