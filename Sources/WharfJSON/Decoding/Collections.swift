extension Array: JSONDecodable where Element: JSONDecodable {
    /// Strict: one wrong element makes the array fail. ``LossyArray`` leaves it out and says so.
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

/// An array; what is in it twice is in the set once.
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

/// What can be the key of an object that is read as a dictionary.
public protocol JSONObjectKey: Hashable {
    /// - Parameter jsonKey: the key with its escapes resolved. nil when it is none of this type,
    ///   which is reported at its place.
    init?(jsonKey: String)
    /// What ``init(jsonKey:)`` makes the same value of; written with escapes where it needs them.
    var jsonKey: String { get }
}

extension String: JSONObjectKey {
    @inlinable public init?(jsonKey: String) { self = jsonKey }
    @inlinable public var jsonKey: String { self }
}

/// Numbers in decimal, without a sign of plus.
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
    /// Of a key that comes twice the first value counts, see ``JSONReadingOptions/DuplicateKeys``.
    @inlinable public static func decode(from json: inout JSONReader) -> [Key: Value]? {
        guard var fields = json.beginObject() else { return nil }
        var dictionary: [Key: Value] = [:]
        var wrong: Set<Key> = []
        var isWhole = true
        while let (place, text) = json.nextKey(&fields) {
            // There an error in its value could not be taken back.
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
                let isFirst = dictionary[key] == nil && wrong.insert(key).inserted
                if isFirst { isWhole = false } else { json.forgive(since: mark) }
                continue
            }
            // One look-up for a new key, which is what nearly all are.
            if let first = dictionary.updateValue(value, forKey: key) { dictionary[key] = first }
        }
        return isWhole ? dictionary : nil
    }
}

extension Dictionary: JSONEncodable where Key: JSONObjectKey, Value: JSONEncodable {
    /// Sorted by key, so that equal dictionaries have equal bytes.
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
    /// The next key of an object whose keys are not known beforehand, and where it stands; the
    /// cursor moves to its value. Call ``endField(_:)`` behind that. nil when the object is closed
    /// and the cursor stands behind it, or nothing can be read.
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

    /// As ``nextElsewise(_:)``.
    @usableFromInline @inline(never) mutating func nextKeyElsewise(
        _ fields: inout JSONFields
    ) -> (place: Int, key: String)? {
        guard !notes.isFatal else { return nil }
        endFieldElsewise()
        return notes.isFatal ? nil : nextKey(&fields)
    }

    @usableFromInline var stopsAtFirstError: Bool { notes.options.stopsAtFirstError }

    /// A repeated key whose value is wrong: the first one counts.
    @usableFromInline @inline(never) mutating func forgive(since mark: JSONNotes.Mark) {
        if !notes.isFatal { notes.forget(since: mark) }
    }

    @usableFromInline @inline(never) mutating func noteKey(_ text: String, at place: Int, isNo type: Any.Type) -> Bool {
        note(JSONNote(offset: place, code: .invalidValue, expected: "a key that reads as \(type)", key: text))
        return false
    }
}
