/// Where a reader is in an object: what ``JSONReader/beginObject()`` gives and the reads of its
/// fields need.
public struct JSONFields: Sendable {
    /// Where the object begins.
    @usableFromInline let start: Int
    /// Where this round over the keys began.
    @usableFromInline var round: Int
    /// A bit for each field that came.
    @usableFromInline var seen: UInt128 = 0
    /// The key at the cursor has escapes, and is compared in its plain form.
    @usableFromInline var isEscaped = false

    @inlinable init(start: Int, round: Int) {
        self.start = start
        self.round = round
    }
}

extension JSONReader {
    /// Enters an object. nil when something else stands here, which is noted and skipped.
    ///
    /// The fields are then read in rounds: each round asks for every key once, in the order in
    /// which they are expected, and ``next(_:)-(JSONFields)`` ends it. A document in that order
    /// takes one comparison for each key; any other order takes more rounds. A key that nobody
    /// asked for is skipped, fully checked.
    ///
    /// ```swift
    /// guard var fields = json.beginObject() else { return nil }
    /// var width: Int?, height: Int?
    /// repeat {
    ///     json.read("width", 0, into: &width, &fields)
    ///     json.read("height", 1, into: &height, &fields)
    /// } while json.next(&fields)
    /// guard let width, let height else { return json.incomplete(fields, required: [(0, "width"), (1, "height")]) }
    /// ```
    @inlinable @inline(__always) public mutating func beginObject() -> JSONFields? {
        guard p.pointee == 0x7B else {
            noteMismatch("an object")
            return nil
        }
        let start = offset
        guard enter() else { return nil }
        guard p.pointee == 0x22 || p.pointee == 0x7D else {
            noteSyntax("a key or '}'")
            return nil
        }
        return JSONFields(start: start, round: offset)
    }

    /// Reads the field if its key is the one at the cursor, else does nothing.
    ///
    /// - Parameters:
    ///   - key: a literal, so that comparing it is comparing words that the compiler knows. Without
    ///     `"`, `\` and control characters: those are written with an escape, and escapes are
    ///     compared elsewhere.
    ///   - index: the field's own number in this object, 0 to 127. By it a repeated key is known,
    ///     and a missing one.
    @inlinable @inline(__always) public mutating func read<Value: JSONDecodable>(
        _ key: StaticString, _ index: Int, into value: inout Value?, _ fields: inout JSONFields
    ) {
        guard self.key(key, index, &fields) else { return }
        value = Value.decode(from: &self)
        endField(&fields)
    }

    /// The same for a value in a form of its own, such as a date in seconds.
    @inlinable @inline(__always) public mutating func read<Format: JSONFormat>(
        _ key: StaticString, _ index: Int, as format: Format.Type, into value: inout Format.Value?,
        _ fields: inout JSONFields
    ) {
        guard self.key(key, index, &fields) else { return }
        value = Format.decode(from: &self)
        endField(&fields)
    }

    /// Whether the key at the cursor is this one. If so the cursor moves to its value; read it,
    /// then call ``endField(_:)``.
    @inlinable @inline(__always) public mutating func key(
        _ key: StaticString, _ index: Int, _ fields: inout JSONFields
    ) -> Bool {
        if matches(key) {
            assert(JSONReader.isPlain(key), "expected a key that needs no escapes, found \(key)")
            p += key.utf8CodeUnitCount &+ 2
        } else {
            guard _slowPath(fields.isEscaped), takeEscaped(key, &fields) else { return false }
        }
        return enterField(index, &fields)
    }

    /// Passes the colon, and a value whose key came before.
    @inlinable @inline(__always) mutating func enterField(_ index: Int, _ fields: inout JSONFields) -> Bool {
        // Folded away for a literal. Another index would take the place of another field.
        precondition(index >= 0 && index < 128, "expected the index of a field from 0 to 127")
        let bit: UInt128 = 1 &<< UInt128(truncatingIfNeeded: index)
        if _fastPath(p.pointee == 0x3A) {
            p += 1
            if p.pointee <= 0x20 { skipRun() }
        } else if !colon() {
            return false
        }
        if _slowPath(fields.seen & bit != 0) { return skipRepeated(&fields) }
        fields.seen |= bit
        return true
    }

    @usableFromInline @inline(never) mutating func skipRepeated(_ fields: inout JSONFields) -> Bool {
        skipValue()
        endField(&fields)
        return false
    }

    /// Moves from behind a value to the next key, or to the end of the object.
    @inlinable @inline(__always) public mutating func endField(_ fields: inout JSONFields) {
        if _fastPath(p.pointee == 0x2C) {
            p += 1
            if p.pointee <= 0x20 { skipRun() }
            if _fastPath(p.pointee == 0x22) { return }
            noteSyntax("a key after ','")
        } else if p.pointee != 0x7D {
            endFieldElsewise()
        }
    }

    @usableFromInline @inline(never) mutating func endFieldElsewise() {
        skipWhitespace()
        if p.pointee == 0x2C {
            p += 1
            skipWhitespace()
            if p.pointee != 0x22 { noteSyntax("a key after ','") }
        } else if p.pointee != 0x7D {
            noteSyntax("',' or '}'")
        }
    }

    /// Ends a round over the keys. False when the object is closed and the cursor stands behind it,
    /// or nothing can be read.
    @inlinable @inline(__always) public mutating func next(_ fields: inout JSONFields) -> Bool {
        if p.pointee == 0x7D {
            leave()
            return false
        }
        guard _fastPath(p.pointee == 0x22) else { return nextElsewise(&fields) }
        // Every key was asked for since the cursor came here, and none was this one.
        if offset == fields.round { return skipUnknown(&fields) }
        fields.round = offset
        return true
    }

    /// Nothing can be read; or the last value was read and ``endField(_:)`` forgotten, which is
    /// made good here.
    @usableFromInline @inline(never) mutating func nextElsewise(_ fields: inout JSONFields) -> Bool {
        guard !notes.isFatal else { return false }
        endFieldElsewise()
        return !notes.isFatal && next(&fields)
    }

    /// Notes each of the keys that did not come. A value that came and was wrong has been noted
    /// already.
    ///
    /// - Returns: nil, to return at once.
    public mutating func incomplete<Value>(
        _ fields: JSONFields, required: [(index: Int, key: StaticString)]
    ) -> Value? {
        incomplete(fields, required: required)
        return nil
    }

    /// The same where there is nothing to return: for a nested object, or in an initialiser.
    @inline(never) public mutating func incomplete(
        _ fields: JSONFields, required: [(index: Int, key: StaticString)]
    ) {
        for (index, key) in required where fields.seen & (1 &<< UInt128(truncatingIfNeeded: index)) == 0 {
            note(
                JSONNote(
                    offset: fields.start, code: .missingKey, expected: "a value for the key \"\(key)\"", key: "\(key)")
            )
        }
    }

    /// Passes the brackets of an object or array that opens here, unless it is one level too deep.
    @inlinable @inline(__always) mutating func enter() -> Bool {
        // Every 32 levels, and where there are none left.
        if _slowPath(levelsLeft & 31 == 0), !hasRoom() { return false }
        levelsLeft -= 1
        p += 1
        skipWhitespace()
        return true
    }

    @inlinable @inline(__always) mutating func leave() {
        levelsLeft += 1
        p += 1
    }

    @usableFromInline @inline(never) mutating func colon() -> Bool {
        skipWhitespace()
        guard p.pointee == 0x3A else {
            noteSyntax("':' after a key")
            return false
        }
        p += 1
        skipWhitespace()
        return true
    }
}

extension JSONReader {
    /// A key that nobody took in a whole round: compared once more without its escapes, if it has
    /// any, then skipped.
    @usableFromInline @inline(never) mutating func skipUnknown(_ fields: inout JSONFields) -> Bool {
        if !fields.isEscaped, keyHasEscapes() {
            fields.isEscaped = true
            return true
        }
        fields.isEscaped = false
        notes.options.unreadKeys?.add(offset)
        skipString()
        guard colon() else { return false }
        skipValue()
        endField(&fields)
        if p.pointee == 0x7D {
            leave()
            return false
        }
        fields.round = offset
        return p.pointee == 0x22
    }

    private func keyHasEscapes() -> Bool {
        var q = p + 1
        while q.pointee != 0x22, q.pointee >= 0x20 {
            if q.pointee == 0x5C { return true }
            q += 1
        }
        return false
    }

    /// Passes the key if, its escapes resolved, it is this one.
    @usableFromInline @inline(never) mutating func takeEscaped(_ key: StaticString, _ fields: inout JSONFields) -> Bool
    {
        let start = p
        guard let text = string() else { return false }
        guard text.utf8.elementsEqual(key.description.utf8) else {
            p = start
            return false
        }
        fields.isEscaped = false
        return true
    }
}
