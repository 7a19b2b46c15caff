/// Writes JSON as compact UTF-8. What JSON can't express is noted with its place, and thrown at the
/// end.
///
/// Each value is followed by a comma until the end of its object or array takes the last one back;
/// so writing asks nowhere whether something came before.
public struct JSONWriter: ~Copyable {
    /// What is written so far. With room behind `count`, which grows by doubling.
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var count = 0
    @usableFromInline var capacity: Int
    @usableFromInline var notes: [JSONNote] = []
    /// How many more there were than are kept.
    @usableFromInline var omitted = 0

    public init(capacity: Int = 1024) {
        self.capacity = max(capacity, 64)
        base = .allocate(capacity: self.capacity)
    }

    deinit {
        base.deallocate()
    }

    /// Makes room for more bytes behind `count`.
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

    /// Writes into room that was reserved.
    @inlinable @inline(__always) mutating func put(_ byte: UInt8) {
        base[count] = byte
        count += 1
    }

    /// Writes bytes of another piece of memory.
    @inlinable @inline(__always) mutating func put(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
        reserve(length)
        (base + count).update(from: bytes, count: length)
        count += length
    }

    /// Ends the writing.
    ///
    /// - Throws: what could not be written, with its path.
    public consuming func finish() throws(JSONError) -> [UInt8] {
        // A `field` or `element` at the top has left its comma.
        if count > 0, base[count - 1] == 0x2C { count -= 1 }
        if count == 0 { invalid(expected: "a value; none was written") }
        let bytes = UnsafeRawBufferPointer(start: base, count: count)
        guard notes.isEmpty else {
            let issues = JSONNotes.issues(notes, in: JSONBytes(copying: bytes)).map(\.issue)
            throw JSONError(issues[0], Array(issues.dropFirst()), omitted: omitted)
        }
        return Array(bytes)
    }

    /// Notes that the value can't be written, and writes `null` in its place.
    @inline(never) public mutating func invalid(expected: String) {
        if notes.count < 1000 {
            notes.append(JSONNote(offset: count, code: .notEncodable, expected: expected))
        } else {
            omitted += 1
        }
        null()
    }
}

extension JSONWriter {
    /// Fields come next, each by ``field(_:_:)`` or as a key, a value and ``endField()``; then
    /// ``endObject()``.
    @inlinable @inline(__always) public mutating func beginObject() {
        reserve(1)
        put(0x7B)
    }

    /// The brackets are not counted: one for each ``beginObject()``.
    @inlinable @inline(__always) public mutating func endObject() {
        close(0x7D)
    }

    /// Elements come next, each by ``element(_:)`` or as a value and ``endField()``; then
    /// ``endArray()``.
    @inlinable @inline(__always) public mutating func beginArray() {
        reserve(1)
        put(0x5B)
    }

    /// The brackets are not counted: one for each ``beginArray()``.
    @inlinable @inline(__always) public mutating func endArray() {
        close(0x5D)
    }

    /// Over the last comma, if there is one: the byte before is a comma, or the bracket that
    /// opened.
    @inlinable @inline(__always) mutating func close(_ bracket: UInt8) {
        reserve(1)
        if count > 0, base[count - 1] == 0x2C { count -= 1 }
        put(bracket)
    }

    /// A value with its key.
    ///
    /// - Parameter key: a literal without characters that JSON writes with an escape.
    @inlinable @inline(__always) public mutating func field(_ key: StaticString, _ value: some JSONEncodable) {
        self.key(key)
        value.encode(into: &self)
        endField()
    }

    /// Leaves the field out where there is no value.
    @inlinable @inline(__always) public mutating func fieldIfPresent(
        _ key: StaticString, _ value: (some JSONEncodable)?
    ) {
        if let value { field(key, value) }
    }

    /// A value in a form that is not its type's own.
    @inlinable public mutating func field<Format: JSONFormat>(
        _ key: StaticString, _ value: Format.Value, as format: Format.Type
    ) {
        self.key(key)
        Format.encode(value, into: &self)
        endField()
    }

    /// In a form that is not the type's own; left out where there is no value.
    @inlinable public mutating func fieldIfPresent<Format: JSONFormat>(
        _ key: StaticString, _ value: Format.Value?, as format: Format.Type
    ) {
        if let value { field(key, value, as: format) }
    }

    /// A key whose value comes next; then ``endField()``.
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

    /// A key that is not known beforehand, with escapes where it needs them.
    @inlinable public mutating func key(text: String) {
        string(text)
        reserve(1)
        put(0x3A)
    }

    /// After the value of a field or element: the comma, which the closing bracket takes the place
    /// of.
    @inlinable @inline(__always) public mutating func endField() {
        reserve(1)
        put(0x2C)
    }

    /// A value of an array.
    @inlinable @inline(__always) public mutating func element(_ value: some JSONEncodable) {
        value.encode(into: &self)
        endField()
    }
}

extension JSONWriter {
    /// What is written, as text.
    consuming func text() -> String {
        if count > 0, base[count - 1] == 0x2C { count -= 1 }
        return String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
    }
}
