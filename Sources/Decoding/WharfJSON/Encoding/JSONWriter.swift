/// Writes JSON as compact UTF-8.
///
/// A value that JSON can't express is noted with its place, and thrown at the end.
///
/// Each value is followed by a comma, and the end of its object or array takes the last one back.
/// So writing a value needs no check for an earlier one.
public struct JSONWriter: ~Copyable {
    /// The bytes so far. The memory after `count` is free space, and grows by doubling.
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var count = 0
    @usableFromInline var capacity: Int
    @usableFromInline var notes: [JSONNote] = []
    /// The number of notes beyond those kept.
    @usableFromInline var omitted = 0

    /// Creates an empty writer; its memory grows as needed.
    public init(capacity: Int = 1024) {
        self.capacity = max(capacity, 64)
        base = .allocate(capacity: self.capacity)
    }

    deinit {
        base.deallocate()
    }

    /// Reserves memory for more bytes after `count`.
    @inlinable @inline(__always) mutating func reserve(_ more: Int) {
        if _slowPath(capacity - count < more) { grow(more) }
    }

    @usableFromInline @inline(never) mutating func grow(_ more: Int) {
        let larger = max(capacity * 2, count + more)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        // The first `count` bytes are initialised, and `larger > count`.
        moved.initialize(from: base, count: count)
        base.deallocate()
        base = moved
        capacity = larger
    }

    /// Writes a byte into reserved memory.
    @inlinable @inline(__always) mutating func put(_ byte: UInt8) {
        base[count] = byte
        count += 1
    }

    /// Writes bytes from other memory.
    @inlinable @inline(__always) mutating func put(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
        reserve(length)
        (base + count).update(from: bytes, count: length)
        count += length
    }

    /// Ends the writing and returns the document.
    ///
    /// - Throws: the values that could not be written, with their paths.
    public consuming func finish() throws(JSONError) -> [UInt8] {
        // A `field` or `element` at the top level has left its comma.
        if count > 0, base[count - 1] == 0x2C { count -= 1 }
        // `invalid` would write `null`, and the issue would then show a value that was not written.
        if count == 0 { notes.append(JSONNote(offset: 0, code: .notEncodable, expected: "a value")) }
        let bytes = UnsafeRawBufferPointer(start: base, count: count)
        guard notes.isEmpty else {
            let issues = JSONNotes.issues(notes, in: JSONBytes(copying: bytes)).map(\.issue)
            throw JSONError(issues[0], Array(issues.dropFirst()), omitted: omitted)
        }
        return Array(bytes)
    }

    /// Notes that the value can't be written, and writes `null` in its place.
    @inline(never) public mutating func invalid(expected: String) {
        // Bounded: an array of a million infinities would otherwise keep a million notes.
        if notes.count < 1000 {
            notes.append(JSONNote(offset: count, code: .notEncodable, expected: expected))
        } else {
            omitted += 1
        }
        null()
    }
}

extension JSONWriter {
    /// Opens an object.
    ///
    /// Write its fields next, each by ``field(_:_:)`` or as a key, a value and ``endField()``. Then
    /// call ``endObject()``.
    @inlinable @inline(__always) public mutating func beginObject() {
        reserve(1)
        put(0x7B)
    }

    /// Closes an object.
    ///
    /// The writer does not count brackets: call this once for each ``beginObject()``.
    @inlinable @inline(__always) public mutating func endObject() {
        close(0x7D)
    }

    /// Opens an array.
    ///
    /// Write its elements next, each by ``element(_:)`` or as a value and ``endField()``. Then call
    /// ``endArray()``.
    @inlinable @inline(__always) public mutating func beginArray() {
        reserve(1)
        put(0x5B)
    }

    /// Closes an array.
    ///
    /// The writer does not count brackets: call this once for each ``beginArray()``.
    @inlinable @inline(__always) public mutating func endArray() {
        close(0x5D)
    }

    /// Writes a closing bracket over the last comma, if there is one.
    ///
    /// The byte before is a comma or the opening bracket.
    @inlinable @inline(__always) mutating func close(_ bracket: UInt8) {
        reserve(1)
        if count > 0, base[count - 1] == 0x2C { count -= 1 }
        put(bracket)
    }

    /// Writes a key and its value.
    ///
    /// - Parameter key: a literal without characters that JSON writes with an escape.
    @inlinable @inline(__always) public mutating func field(_ key: StaticString, _ value: some JSONEncodable) {
        self.key(key)
        value.encode(into: &self)
        endField()
    }

    /// Writes a key and its value, or nothing if the value is nil.
    @inlinable @inline(__always) public mutating func fieldIfPresent(
        _ key: StaticString, _ value: (some JSONEncodable)?
    ) {
        if let value { field(key, value) }
    }

    /// Writes a key and its value in a format other than its type's own.
    @inlinable public mutating func field<Format: JSONFormat>(
        _ key: StaticString, _ value: Format.Value, as format: Format.Type
    ) {
        self.key(key)
        Format.encode(value, into: &self)
        endField()
    }

    /// Writes a key and its value in another format, or nothing if the value is nil.
    @inlinable public mutating func fieldIfPresent<Format: JSONFormat>(
        _ key: StaticString, _ value: Format.Value?, as format: Format.Type
    ) {
        if let value { field(key, value, as: format) }
    }

    /// Writes a key. Write its value next, and call ``endField()`` after it.
    @inlinable @inline(__always) public mutating func key(_ key: StaticString) {
        assert(JSONReader.isPlain(key), "expected a key that needs no escapes, found \(key); write it by key(text:)")
        let length = key.utf8CodeUnitCount
        reserve(length + 3)
        put(0x22)
        (base + count).update(from: key.utf8Start, count: length)
        count += length
        put(0x22)
        put(0x3A)
    }

    /// Writes a key that is not known beforehand, with escapes if it needs them.
    @inlinable public mutating func key(text: String) {
        string(text)
        reserve(1)
        put(0x3A)
    }

    /// Ends a field or element with a comma, which the closing bracket replaces.
    @inlinable @inline(__always) public mutating func endField() {
        reserve(1)
        put(0x2C)
    }

    /// Writes an element of an array.
    @inlinable @inline(__always) public mutating func element(_ value: some JSONEncodable) {
        value.encode(into: &self)
        endField()
    }
}

extension JSONWriter {
    /// Returns the bytes so far as text.
    consuming func text() -> String {
        if count > 0, base[count - 1] == 0x2C { count -= 1 }
        return String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
    }
}
