/// Decodes typed values from JSON and encodes them, in one call.
///
/// ```swift
/// let users = try JSON.decode([User].self, from: bytes)
/// let bytes = try JSON.encode(users)
/// ```
public enum JSON {
    /// Returns the whole document decoded as one value.
    ///
    /// Takes time linear in the length of the document.
    ///
    /// - Parameter path: the path to the value, for answers in an envelope: `at: "data", "user"`.
    ///   The rest of the document is checked for syntax and skipped.
    /// - Throws: all errors of the document, each with path, line and column.
    @inlinable public static func decode<Value: JSONDecodable>(
        _ type: Value.Type = Value.self, from bytes: JSONBytes, at path: String...,
        options: JSONReadingOptions = .init()
    ) throws(JSONError) -> Value {
        try decode(type, from: bytes, at: path, options: options)
    }

    /// Returns the whole document decoded as one value.
    @inlinable public static func decode<Value: JSONDecodable>(
        _ type: Value.Type = Value.self, from bytes: [UInt8], at path: String..., options: JSONReadingOptions = .init()
    ) throws(JSONError) -> Value {
        try decode(type, from: JSONBytes(bytes), at: path, options: options)
    }

    /// Returns the whole document decoded as one value.
    @inlinable public static func decode<Value: JSONDecodable>(
        _ type: Value.Type = Value.self, from text: String, at path: String..., options: JSONReadingOptions = .init()
    ) throws(JSONError) -> Value {
        try decode(type, from: JSONBytes(text), at: path, options: options)
    }

    /// Returns the value at a path of the document.
    @inlinable public static func decode<Value: JSONDecodable>(
        _ type: Value.Type, from bytes: JSONBytes, at path: [String], options: JSONReadingOptions = .init()
    ) throws(JSONError) -> Value {
        var reader = JSONReader(bytes, options: options)
        let value = path.isEmpty ? Value.decode(from: &reader) : reader.descend(path) { Value.decode(from: &$0) }
        guard let value else { throw reader.explained(Value.self) }
        try reader.finish()
        return value
    }

    /// Returns the value as compact JSON.
    ///
    /// - Throws: values that JSON can't express, such as an infinite number, with their paths in
    ///   the document.
    @inlinable public static func encode(_ value: some JSONEncodable) throws(JSONError) -> [UInt8] {
        var writer = JSONWriter()
        value.encode(into: &writer)
        return try writer.finish()
    }
}

extension JSONReader {
    /// Reads the value at the end of a path through objects.
    @usableFromInline mutating func descend<Value>(
        _ path: [String], _ read: (inout JSONReader) -> Value?
    ) -> Value? {
        guard let first = path.first else { return read(&self) }
        guard var fields = beginObject() else { return nil }
        var value: Value?
        var wasThere = false
        // To the end of the object, also after the value was found: the rest is checked as JSON.
        while let (_, key) = nextKey(&fields) {
            if !wasThere, key.utf8.elementsEqual(first.utf8) {
                wasThere = true
                value = descend(Array(path.dropFirst()), read)
            } else {
                skipValue()
            }
            endField(&fields)
        }
        guard wasThere else {
            note(
                JSONNote(
                    offset: fields.start, code: .missingKey, expected: "a value for the key \"\(first)\"", key: first))
            return nil
        }
        return value
    }

    /// Returns the errors that explain why there is no value.
    @usableFromInline consuming func explained(_ type: Any.Type) -> JSONError {
        // A type that returns nil without noting an error breaks its contract. The result must be
        // an error all the same.
        if notes.isEmpty { note(JSONNote(offset: 0, code: .invalidValue, expected: "a \(type)")) }
        do {
            try finish()
        } catch {
            return error
        }
        preconditionFailure("finish() must throw, because an error was noted")
    }
}
