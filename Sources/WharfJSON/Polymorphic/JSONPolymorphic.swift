/// A union: a value that is one of several types, told apart by a tag. An enumeration with
/// associated values conforms, by the macro `@Polymorphic` or by hand.
///
/// With ``content`` the tag stands beside the value (adjacent tagging):
/// `{"type": "square", "attributes": {"length": 2}}`. Without, it stands in it (internal tagging):
/// `{"type": "square", "length": 2}`. Tag first is read in one go; otherwise the reader goes back
/// to the value once it knows the tag. Unions within unions whose tags all come last are read again
/// at each level: how much in all is capped at 64 times the document's length, so that about 60
/// such levels are read wherever the bulk of it lies, and more may be
/// ``JSONIssue/Code/tooManyRewinds``.
///
/// ```swift
/// enum Shape: JSONPolymorphic {
///     case square(Square), rectangle(Rectangle), unknown(UnknownElement)
///     enum Kind: String, CaseIterable { case square, rectangle, unknown }
///     static var discriminator: StaticString { "type" }
///     static var content: StaticString? { "attributes" }
///     var kind: Kind { … }
///     static func decode(_ kind: Kind, from json: inout JSONReader) -> Shape? {
///         switch kind {
///         case .square: Square.decode(from: &json).map { .square($0) }
///         case .rectangle: Rectangle.decode(from: &json).map { .rectangle($0) }
///         case .unknown: nil
///         }
///     }
///     static var unknownKind: Kind? { .unknown }
///     static func keep(_ element: UnknownElement) -> Shape? { .unknown(element) }
///     …
/// }
/// ```
public protocol JSONPolymorphic: JSONDecodable, JSONEncodable {
    /// The cases without their values; the raw value is the tag.
    associatedtype Kind: RawRepresentable<String> & CaseIterable & Hashable & Sendable

    /// The key of the tag: a literal, see ``JSONReader/key(_:_:_:)``.
    static var discriminator: StaticString { get }
    /// The key of the value; nil where the tag stands in the value.
    static var content: StaticString? { get }

    var kind: Kind { get }

    /// Reads the value of one kind. Not called for ``unknownKind``.
    static func decode(_ kind: Kind, from json: inout JSONReader) -> Self?
    /// Writes the value: under ``content``, or as the object that the tag is put into, which must
    /// not write the tag itself.
    func encodeContent(into json: inout JSONWriter)

    /// Passes the tag at the cursor if it is one of the known ones, otherwise stays: a chain of
    /// ``JSONReader/take(_:)``. The default stays, and the tag is compared as a string.
    static func takeKind(_ json: inout JSONReader) -> Kind?
    /// The value of a kind that never has a content; nil for the others, which is the default.
    static func empty(_ kind: Kind) -> Self?
    /// The kind of what ``keep(_:)`` gives; nil, which is the default, where it gives nothing. A
    /// tag that spells its name is not known either.
    static var unknownKind: Kind? { get }
    /// The value that keeps an element of no known kind. nil, which is the default: an unknown tag
    /// is an error with its place.
    static func keep(_ element: UnknownElement) -> Self?
    /// What ``keep(_:)`` was given; nil, which is the default, for all other cases.
    var unknownElement: UnknownElement? { get }
}

extension JSONPolymorphic {
    @inlinable @inline(__always) public static func takeKind(_ json: inout JSONReader) -> Kind? { nil }
    public static func empty(_ kind: Kind) -> Self? { nil }
    @inlinable public static var unknownKind: Kind? { nil }
    public static func keep(_ element: UnknownElement) -> Self? { nil }
    public var unknownElement: UnknownElement? { nil }

    @inlinable public static func decode(from json: inout JSONReader) -> Self? {
        if let content { decodeAdjacent(content, &json) } else { decodeInternal(&json) }
    }

    @inlinable @inline(__always) static func decodeAdjacent(
        _ content: StaticString, _ json: inout JSONReader
    ) -> Self? {
        guard var fields = json.beginObject() else { return nil }
        var tag = JSONTag<Kind>.missing
        var value: Self?
        var place = -1
        repeat {
            if json.key(discriminator, 0, &fields) {
                tag = readTag(&json)
                json.endField(&fields)
            }
            if json.key(content, 1, &fields) {
                if case .known(let kind) = tag {
                    value = decode(kind, from: &json)
                } else {
                    place = json.offset
                    json.skipValue()
                }
                json.endField(&fields)
            }
        } while json.next(&fields)
        if case .known(let kind) = tag, place < 0 {
            if fields.seen & 2 != 0 { return value }
            return empty(kind) ?? json.incomplete(fields, required: [(1, content)])
        }
        return json.isReadable ? decodeBelated(tag, fields, place, &json) : nil
    }

    /// The tag came behind the value, or is not known.
    @inlinable @inline(never) static func decodeBelated(
        _ tag: JSONTag<Kind>, _ fields: JSONFields, _ place: Int, _ json: inout JSONReader
    ) -> Self? {
        switch tag {
        case .known(let kind): json.rewound(to: place, levels: 1) { decode(kind, from: &$0) }
        case .unknown(let text, let tagPlace): unknown(text, tagPlace, fields.start, &json)
        case .wrong: nil
        case .missing: json.incomplete(fields, required: [(0, discriminator)])
        }
    }

    @inlinable static func decodeInternal(_ json: inout JSONReader) -> Self? {
        let start = json.offset
        guard var fields = json.beginObject() else { return nil }
        var tag = JSONTag<Kind>.missing
        repeat {
            if json.key(discriminator, 0, &fields) {
                tag = readTag(&json)
                break
            }
        } while json.next(&fields)
        guard json.isReadable else { return nil }
        if case .missing = tag { return json.incomplete(fields, required: [(0, discriminator)]) }
        guard json.goBack(to: start, levels: -1) else { return nil }
        switch tag {
        case .known(let kind): return decode(kind, from: &json)
        case .unknown(let text, let place):
            json.skipValue()
            return json.isReadable ? unknown(text, place, start, &json) : nil
        default:
            json.skipValue()
            return nil
        }
    }

    @inlinable @inline(__always) static func readTag(_ json: inout JSONReader) -> JSONTag<Kind> {
        let place = json.offset
        guard let kind = takeKind(&json) else { return readTagAsText(&json) }
        return kind == unknownKind ? .unknown(kind.rawValue, place) : .known(kind)
    }

    @usableFromInline @inline(never) static func readTagAsText(_ json: inout JSONReader) -> JSONTag<Kind> {
        let place = json.offset
        guard let text = json.string() else { return .wrong }
        guard let kind = Kind(rawValue: text), kind != unknownKind else { return .unknown(text, place) }
        return .known(kind)
    }

    /// - Parameter start: where the element begins; the cursor stands behind it.
    @usableFromInline @inline(never) static func unknown(
        _ text: String, _ place: Int, _ start: Int, _ json: inout JSONReader
    ) -> Self? {
        let element = UnknownElement(kind: text, checked: JSONBytes(storage: json.storage)[start..<json.offset])
        if let kept = keep(element) { return kept }
        return json.invalid(
            at: place, .unknownCase,
            expected: oneOf(Kind.allCases.filter { $0 != unknownKind }.map { $0.rawValue.debugDescription }))
    }

    public func encode(into json: inout JSONWriter) {
        if let unknownElement { return unknownElement.encode(into: &json) }
        guard let content = Self.content else {
            return json.object(tagged: Self.discriminator, kind.rawValue) { encodeContent(into: &$0) }
        }
        json.beginObject()
        json.field(Self.discriminator, kind.rawValue)
        if Self.empty(kind) == nil {
            json.key(content)
            encodeContent(into: &json)
            json.endField()
        }
        json.endObject()
    }
}

/// What is known of an element's kind.
@usableFromInline enum JSONTag<Kind> {
    case missing
    /// Not a string; noted.
    case wrong
    case known(Kind)
    case unknown(String, Int)
}

extension JSONReader {
    /// False once nothing more can be read.
    @usableFromInline var isReadable: Bool { !notes.isFatal }

    /// Reads from an earlier place, then goes on where it was.
    @inlinable @inline(__always) mutating func rewound<Value>(
        to place: Int, levels: Int, _ read: (inout JSONReader) -> Value?
    ) -> Value? {
        let here = offset
        guard goBack(to: place, levels: levels) else { return nil }
        let value = read(&self)
        levelsLeft += levels
        if !notes.isFatal { p = base + here }
        return value
    }

    /// Moves the cursor back, as long as going back has not become most of the work.
    ///
    /// - Parameter levels: how many more levels are open there than here.
    @usableFromInline mutating func goBack(to place: Int, levels: Int) -> Bool {
        notes.rewindsLeft -= offset - place
        guard notes.rewindsLeft >= 0 else {
            note(
                JSONNote(
                    offset: place, code: .tooManyRewinds,
                    expected: "the tag before the value in unions as deeply nested as these"),
                isFatal: true)
            return false
        }
        levelsLeft -= levels
        p = base + place
        return true
    }
}

extension JSONWriter {
    /// Writes an object with the tag in front of its first field.
    mutating func object(tagged key: StaticString, _ tag: String, _ content: (inout JSONWriter) -> Void) {
        let start = count
        beginObject()
        self.key(key)
        string(tag)
        let inner = count
        content(&self)
        // A whole object has two bytes at least.
        guard count > inner + 1, base[inner] == 0x7B else {
            count = start
            // Where the whole content could not be written, that has been noted.
            let isNoted = notes.contains { $0.offset == inner }
            notes.removeAll { $0.offset > inner }
            for index in notes.indices where notes[index].offset == inner { notes[index].offset = start }
            return isNoted ? null() : invalid(expected: "an object to put the tag \"\(key)\" into")
        }
        // The tag has a bracket already. So nothing is moved, however deep unions nest.
        var first = inner + 1
        while first < count - 1, base[first] <= 0x20 { first += 1 }
        if base[first] == 0x7D {
            count = inner
            endObject()
        } else {
            base[inner] = 0x2C
        }
    }
}
