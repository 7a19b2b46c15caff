/// The position of a reader in an object.
///
/// ``JSONReader/beginObject()`` returns it, and reads of the fields need it.
public struct JSONFields: Sendable {
    /// The offset at which the object begins.
    @usableFromInline let start: Int
    /// The offset at which this round over the keys began.
    @usableFromInline var round: Int
    /// A bit for each field that was found.
    @usableFromInline var seen: UInt128 = 0
    /// Whether the key at the cursor has escapes, so that its resolved text is compared.
    @usableFromInline var isEscaped = false

    @inlinable init(start: Int, round: Int) {
        self.start = start
        self.round = round
    }
}

extension JSONReader {
    /// Enters an object.
    ///
    /// If another kind of value is at the cursor, it is noted and skipped, and the result is nil.
    ///
    /// The fields are then read in rounds. Each round asks for every key once, in the expected
    /// order, and ``next(_:)-(JSONFields)`` ends it. A document in that order takes one comparison
    /// per key; any other order takes more rounds. A key that no read asks for is checked and
    /// skipped.
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
        // Checked here once, so that the reads of a round need not check for a quote.
        guard p.pointee == 0x22 || p.pointee == 0x7D else {
            noteSyntax("a key or '}'")
            return nil
        }
        return JSONFields(start: start, round: offset)
    }

    /// Reads the field if its key is at the cursor; otherwise does nothing.
    ///
    /// - Parameters:
    ///   - key: a literal, so that it is compared as words known to the compiler. It must not
    ///     contain `"`, `\` and control characters, which JSON writes with an escape. Keys with
    ///     escapes take the slow path.
    ///   - index: the field's own number in this object, 0 to 127. It identifies repeated and
    ///     missing keys.
    @inlinable @inline(__always) public mutating func read<Value: JSONDecodable>(
        _ key: StaticString, _ index: Int, into value: inout Value?, _ fields: inout JSONFields
    ) {
        guard self.key(key, index, &fields) else { return }
        value = Value.decode(from: &self)
        endField(&fields)
    }

    /// Reads a field in another format, such as a date in seconds.
    @inlinable @inline(__always) public mutating func read<Format: JSONFormat>(
        _ key: StaticString, _ index: Int, as format: Format.Type, into value: inout Format.Value?,
        _ fields: inout JSONFields
    ) {
        guard self.key(key, index, &fields) else { return }
        value = Format.decode(from: &self)
        endField(&fields)
    }

    /// Returns whether this key is at the cursor, and if so moves to its value.
    ///
    /// Read the value, then call ``endField(_:)``.
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

    /// Skips the colon, and the value too if its key came before.
    @inlinable @inline(__always) mutating func enterField(_ index: Int, _ fields: inout JSONFields) -> Bool {
        // The check folds away for a literal. An index out of range would alias another field.
        precondition(index >= 0 && index < 128, "the index of a field must be from 0 to 127")
        let bit: UInt128 = 1 &<< UInt128(truncatingIfNeeded: index)
        if _fastPath(p.pointee == 0x3A) {
            p += 1
            if p.pointee <= 0x20 { skipRun() }
        } else if !colon() {
            return false
        }
        // The first value counts, so a repetition is checked and skipped.
        if _slowPath(fields.seen & bit != 0) { return skipRepeated(&fields) }
        fields.seen |= bit
        return true
    }

    @usableFromInline @inline(never) mutating func skipRepeated(_ fields: inout JSONFields) -> Bool {
        skipValue()
        endField(&fields)
        return false
    }

    /// Moves from the end of a value to the next key, or to the end of the object.
    @inlinable @inline(__always) public mutating func endField(_ fields: inout JSONFields) {
        // Compact documents have no blanks here, so the first byte decides.
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

    /// Ends a round over the keys.
    ///
    /// Returns false if the object ended, with the cursor after it, or nothing more can be read.
    @inlinable @inline(__always) public mutating func next(_ fields: inout JSONFields) -> Bool {
        if p.pointee == 0x7D {
            leave()
            return false
        }
        guard _fastPath(p.pointee == 0x22) else { return nextElsewise(&fields) }
        // The cursor did not move since the last round, so no read took this key.
        if offset == fields.round { return skipUnknown(&fields) }
        fields.round = offset
        return true
    }

    /// Handles two cases: nothing can be read, or ``endField(_:)`` was not called after the last
    /// value.
    ///
    /// The second is corrected here.
    @usableFromInline @inline(never) mutating func nextElsewise(_ fields: inout JSONFields) -> Bool {
        guard !notes.isFatal else { return false }
        endFieldElsewise()
        return !notes.isFatal && next(&fields)
    }

    /// Notes each missing key.
    ///
    /// A key with a wrong value has been noted already.
    ///
    /// - Returns: nil, for use in a `return` statement.
    public mutating func incomplete<Value>(
        _ fields: JSONFields, required: [(index: Int, key: StaticString)]
    ) -> Value? {
        incomplete(fields, required: required)
        return nil
    }

    /// Notes each missing key, and returns nothing.
    ///
    /// Use it for a nested object or in an initialiser.
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

    /// Enters an object or array, unless it is one level too deep.
    @inlinable @inline(__always) mutating func enter() -> Bool {
        // True every 32 levels, and when no levels are left.
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
    /// Handles a key that no read took in a whole round.
    ///
    /// If it has escapes, it is compared once more with them resolved. Otherwise it is skipped.
    @usableFromInline @inline(never) mutating func skipUnknown(_ fields: inout JSONFields) -> Bool {
        // One more round for this key alone. The flag tells the second visit from the first, so no
        // key gets a third.
        if !fields.isEscaped, keyHasEscapes() {
            fields.isEscaped = true
            return true
        }
        fields.isEscaped = false
        // No read took the key, with or without escapes, so no type knows it.
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

    /// Skips the key at the cursor if it is this one with its escapes resolved.
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
