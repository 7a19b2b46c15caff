/// A tagged union: a value of one of several types, told apart by a tag.
///
/// An enumeration with associated values conforms, by the macro `@Polymorphic` or by hand.
///
/// With ``content`` the tag is beside the value (adjacent tagging):
/// `{"type": "square", "attributes": {"length": 2}}`. Without it the tag is inside the value
/// (internal tagging): `{"type": "square", "length": 2}`.
///
/// If the tag comes first, the value is read in one pass. Otherwise the reader goes back to the
/// value once it knows the tag. Nested unions whose tags all come last are reread at each level.
/// Rereading is capped at 64 times the document's length. So about 60 such levels can be read, for
/// any distribution of the bytes over the levels. More levels may be
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
    /// The key of the value; nil if the tag is inside the value.
    static var content: StaticString? { get }

    /// The kind of this value, which gives its tag.
    var kind: Kind { get }

    /// Reads the value of one kind. It is not called for ``unknownKind``.
    static func decode(_ kind: Kind, from json: inout JSONReader) -> Self?
    /// Writes the value under ``content``, or as the object into which the tag is put.
    ///
    /// It must not write the tag itself.
    func encodeContent(into json: inout JSONWriter)

    /// Skips the tag at the cursor and returns its kind, if it is a known one.
    ///
    /// Implement it as a chain of ``JSONReader/take(_:)``. The default skips nothing, and the tag
    /// is compared as a string.
    static func takeKind(_ json: inout JSONReader) -> Kind?
    /// Returns the value of a kind without content; nil for others, as by default.
    static func empty(_ kind: Kind) -> Self?
    /// The kind of the values of ``keep(_:)``; nil by default, if it keeps none.
    ///
    /// A tag equal to its name is not a known tag either.
    static var unknownKind: Kind? { get }
    /// Returns the value that keeps an element with an unknown tag.
    ///
    /// By default it is nil, and an unknown tag is an error with its place.
    static func keep(_ element: UnknownElement) -> Self?
    /// The element passed to ``keep(_:)``; nil for all other cases, and by default.
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
                    // The type is not known yet. The value is checked now, and read once the tag is
                    // known.
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

    /// Handles a tag that came after the value, is unknown, or is missing.
    @inlinable @inline(never) static func decodeBelated(
        _ tag: JSONTag<Kind>, _ fields: JSONFields, _ place: Int, _ json: inout JSONReader
    ) -> Self? {
        switch tag {
        // The object has been left, and its value lies one level inside.
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
        // The payload is the object itself, so it is read again from its bracket, one level further
        // out.
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
        // The fast path compares bytes. A tag with escapes fails there, and is compared as text.
        guard let kind = takeKind(&json) else { return readTagAsText(&json) }
        return kind == unknownKind ? .unknown(kind.rawValue, place) : .known(kind)
    }

    @usableFromInline @inline(never) static func readTagAsText(_ json: inout JSONReader) -> JSONTag<Kind> {
        let place = json.offset
        guard let text = json.string() else { return .wrong }
        guard let kind = Kind(rawValue: text), kind != unknownKind else { return .unknown(text, place) }
        return .known(kind)
    }

    /// - Parameter start: the offset at which the element begins; the cursor is after it.
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

/// The tag of an element, as far as it is known.
@usableFromInline enum JSONTag<Kind> {
    case missing
    /// The tag is not a string, which has been noted.
    case wrong
    case known(Kind)
    case unknown(String, Int)
}

extension JSONReader {
    /// Whether reading can go on.
    @usableFromInline var isReadable: Bool { !notes.isFatal }

    /// Reads from an earlier place, then restores the cursor.
    @inlinable @inline(__always) mutating func rewound<Value>(
        to place: Int, levels: Int, _ read: (inout JSONReader) -> Value?
    ) -> Value? {
        let here = offset
        guard goBack(to: place, levels: levels) else { return nil }
        let value = read(&self)
        levelsLeft += levels
        // After a fatal error the cursor stays at the end, where nothing can be read.
        if !notes.isFatal { p = base + here }
        return value
    }

    /// Moves the cursor back, unless the cap on rereading is exceeded.
    ///
    /// - Parameter levels: the number of levels open there beyond those open here.
    @usableFromInline mutating func goBack(to place: Int, levels: Int) -> Bool {
        // Each level of unions may reread all levels inside, so the work would double per level
        // without the cap.
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
    /// Writes an object with the tag before its first field.
    mutating func object(tagged key: StaticString, _ tag: String, _ content: (inout JSONWriter) -> Void) {
        let start = count
        beginObject()
        self.key(key)
        string(tag)
        let inner = count
        content(&self)
        // A whole object has at least two bytes.
        guard count > inner + 1, base[inner] == 0x7B else {
            count = start
            // If the whole content could not be written, that has been noted already.
            let isNoted = notes.contains { $0.offset == inner }
            // Their bytes are taken back. The error of the whole content moves to the place of the
            // object.
            notes.removeAll { $0.offset > inner }
            for index in notes.indices where notes[index].offset == inner { notes[index].offset = start }
            return isNoted ? null() : invalid(expected: "an object to put the tag \"\(key)\" into")
        }
        // The tag has opened a bracket already, so this one becomes a comma. Nothing is moved,
        // however deep unions nest.
        var first = inner + 1
        while first < count - 1, base[first] <= 0x20 { first += 1 }
        if base[first] == 0x7D {
            // An empty object has no field for a comma to stand before.
            count = inner
            endObject()
        } else {
            base[inner] = 0x2C
        }
    }
}
