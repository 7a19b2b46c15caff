/// An element of a kind that this version of the app does not know, kept so that it can be written
/// back.
public struct UnknownElement: Sendable, Hashable {
    /// What its tag says.
    public let kind: String
    /// The whole element as it stood in the document, tag and all.
    public let json: [UInt8]

    /// - Parameter json: written back as it is.
    /// - Throws: where `json` is not one whole value by RFC 8259.
    public init(kind: String, json: [UInt8]) throws(JSONError) {
        var reader = JSONReader(JSONBytes(json), options: .deepest)
        // It may stand before a document, and not in one.
        if json.starts(with: [0xEF, 0xBB, 0xBF]) { reader.noteSyntax("a value", at: reader.base) }
        reader.skipValue()
        try reader.finish()
        self.init(kind: kind, checked: json)
    }

    /// - Parameter json: as a reader passed it, or a writer wrote it.
    init(kind: String, checked json: [UInt8]) {
        self.kind = kind
        self.json = json
    }

    /// What is in it.
    ///
    /// - Throws: ``JSONError`` when ``json`` is none.
    public func value() throws(JSONError) -> JSONValue {
        try JSON.decode(from: JSONBytes(json), options: .deepest)
    }
}

extension UnknownElement: JSONEncodable {
    /// Byte for byte.
    public func encode(into json: inout JSONWriter) { json.raw(self.json) }
}

extension UnknownElement: CustomStringConvertible {
    public var description: String { "\(kind): \(String(decoding: json, as: UTF8.self))" }
}
