extension Array: JSONDecodable where Element: JSONDecodable {
    /// Reads an array; one wrong element makes it fail.
    ///
    /// ``LossyArray`` leaves wrong elements out and reports them.
    @inlinable public static func decode(from json: inout JSONReader) -> [Element]? {
        guard var elements = json.beginArray() else { return nil }
        var array: [Element] = []
        var isWhole = true
        while json.next(&elements) {
            if let element = Element.decode(from: &json) { array.append(element) } else { isWhole = false }
        }
        return isWhole ? array : nil
    }
}

extension Array: JSONEncodable where Element: JSONEncodable {
    @inlinable public func encode(into json: inout JSONWriter) {
        json.beginArray()
        for element in self { json.element(element) }
        json.endArray()
    }
}

/// A set is coded as an array. Repeated elements appear once in the set.
extension Set: JSONDecodable where Element: JSONDecodable {
    @inlinable public static func decode(from json: inout JSONReader) -> Set<Element>? {
        [Element].decode(from: &json).map { Set($0) }
    }
}

extension Set: JSONEncodable where Element: JSONEncodable {
    @inlinable public func encode(into json: inout JSONWriter) {
        json.beginArray()
        for element in self { json.element(element) }
        json.endArray()
    }
}

/// A type that can be the key of an object that is read as a dictionary.
public protocol JSONObjectKey: Hashable {
    /// Creates a value from a key.
    ///
    /// Nil if the key is not valid, which is reported at its place.
    ///
    /// - Parameter jsonKey: the key with its escapes resolved.
    init?(jsonKey: String)
    /// The text from which ``init(jsonKey:)`` makes the same value.
    ///
    /// It is written with escapes if it needs them.
    var jsonKey: String { get }
}

extension String: JSONObjectKey {
    @inlinable public init?(jsonKey: String) { self = jsonKey }
    @inlinable public var jsonKey: String { self }
}

/// A key is a decimal number without a plus sign.
extension Int: JSONObjectKey {
    public init?(jsonKey: String) {
        guard let number = Int(jsonKey), number.description == jsonKey else { return nil }
        self = number
    }
    public var jsonKey: String { description }
}

extension JSONObjectKey where Self: RawRepresentable, RawValue: JSONObjectKey {
    public init?(jsonKey: String) {
        guard let raw = RawValue(jsonKey: jsonKey) else { return nil }
        self.init(rawValue: raw)
    }
    public var jsonKey: String { rawValue.jsonKey }
}

extension Dictionary: JSONDecodable where Key: JSONObjectKey, Value: JSONDecodable {
    /// Reads a dictionary.
    ///
    /// If a key is repeated, its first value counts: see ``JSONReadingOptions/DuplicateKeys``.
    @inlinable public static func decode(from json: inout JSONReader) -> [Key: Value]? {
        guard var fields = json.beginObject() else { return nil }
        var dictionary: [Key: Value] = [:]
        var wrong: Set<Key> = []
        var isWhole = true
        while let (place, text) = json.nextKey(&fields) {
            // In this mode an error in the repeated key's value would end the reading, and could
            // not be taken back.
            if json.stopsAtFirstError, let key = Key(jsonKey: text), dictionary[key] != nil {
                json.skipValue()
                json.endField(&fields)
                continue
            }
            let mark = json.notes.mark
            let value = Value.decode(from: &json)
            json.endField(&fields)
            guard let key = Key(jsonKey: text) else {
                isWhole = json.noteKey(text, at: place, isNo: Key.self)
                continue
            }
            guard let value else {
                // A wrong value counts as the first one too. A later good value of the key must not
                // hide the error.
                let isFirst = dictionary[key] == nil && wrong.insert(key).inserted
                if isFirst { isWhole = false } else { json.forgive(since: mark) }
                continue
            }
            // One lookup for a new key, which nearly all keys are.
            if let first = dictionary.updateValue(value, forKey: key) { dictionary[key] = first }
        }
        return isWhole ? dictionary : nil
    }
}

extension Dictionary: JSONEncodable where Key: JSONObjectKey, Value: JSONEncodable {
    /// Writes the dictionary sorted by key.
    ///
    /// So equal dictionaries have equal bytes.
    @inlinable public func encode(into json: inout JSONWriter) {
        json.beginObject()
        for (key, value) in map({ ($0.key.jsonKey, $0.value) }).sorted(by: { $0.0 < $1.0 }) {
            json.key(text: key)
            value.encode(into: &json)
            json.endField()
        }
        json.endObject()
    }
}

extension JSONReader {
    /// Moves to the value of the next key, for keys not known beforehand.
    ///
    /// Call ``endField(_:)`` after the value.
    ///
    /// - Returns: the key and its place. Nil if the object ended, with the cursor after it, or
    ///   nothing more can be read.
    @inlinable public mutating func nextKey(_ fields: inout JSONFields) -> (place: Int, key: String)? {
        if p.pointee == 0x7D {
            leave()
            return nil
        }
        guard p.pointee == 0x22 else { return nextKeyElsewise(&fields) }
        let place = offset
        guard let key = string(), colon() else { return nil }
        return (place, key)
    }

    /// The slow path: see ``nextElsewise(_:)``.
    @usableFromInline @inline(never) mutating func nextKeyElsewise(
        _ fields: inout JSONFields
    ) -> (place: Int, key: String)? {
        guard !notes.isFatal else { return nil }
        endFieldElsewise()
        return notes.isFatal ? nil : nextKey(&fields)
    }

    @usableFromInline var stopsAtFirstError: Bool { notes.options.stopsAtFirstError }

    /// Takes back the errors in the value of a repeated key, as the first value counts.
    @usableFromInline @inline(never) mutating func forgive(since mark: JSONNotes.Mark) {
        if !notes.isFatal { notes.forget(since: mark) }
    }

    @usableFromInline @inline(never) mutating func noteKey(_ text: String, at place: Int, isNo type: Any.Type) -> Bool {
        note(JSONNote(offset: place, code: .invalidValue, expected: "a key that reads as \(type)", key: text))
        return false
    }
}
