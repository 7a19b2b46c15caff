/// A pull parser that reads JSON from bytes, value by value, in one pass.
///
/// Direct decoding uses it as its cursor, and tools can use it too.
///
/// It accepts exactly the grammar of RFC 8259, including in values that it skips. It never throws.
/// A value of the wrong kind is noted with its place and skipped, and the read returns nil. So one
/// pass finds every error. A syntax error is noted too and moves the cursor to the end. Every later
/// read then returns nil without a note of its own.
///
/// ```swift
/// var json = JSONReader(JSONBytes(#"{"id": 7, "name": "Ann"}"#))
/// let user = User.decode(from: &json)
/// try json.finish()
/// ```
///
/// A read requires the cursor at the first byte of a value. ``read(_:_:into:_:)``,
/// ``next(_:)-(JSONElements)`` and the initialiser leave it there.
///
/// The pointers point into `storage`, which the reader keeps alive. It ends in
/// ``JSONBytes/padding`` zeros. A zero is neither white space nor part of any token, so no loop
/// passes `end`. Looking at most 32 bytes ahead of the cursor stays inside.
public struct JSONReader: ~Copyable {
    // Between calls:
    // - `base <= p <= end`, and zeros follow `end`, so reads of eight bytes at `p` stay in memory.
    // - After a fatal error `p == end`, where no value can begin.
    // - `levelsLeft` is the maximum depth less the levels open at `p`.
    // - `storage` keeps the bytes alive as long as the pointers.
    @usableFromInline var p: UnsafePointer<UInt8>
    @usableFromInline let base: UnsafePointer<UInt8>
    @usableFromInline let end: UnsafePointer<UInt8>
    /// The number of levels that may still open.
    @usableFromInline var levelsLeft: Int
    @usableFromInline var notes: JSONNotes
    @usableFromInline let storage: JSONStorage
    let stack: StackBudget

    /// Creates a reader at the first value of a document.
    public init(_ bytes: JSONBytes, options: JSONReadingOptions = .init()) {
        storage = bytes.storage
        base = UnsafePointer(storage.base.assumingMemoryBound(to: UInt8.self))
        end = base + storage.count
        p = base
        levelsLeft = options.maximumDepth
        stack = StackBudget(bytes: options.stackBudget)
        notes = JSONNotes(options: options, length: storage.count)
        // A byte order mark is skipped, as RFC 8259 §8.1 allows.
        if word(0) & 0xFF_FFFF == 0xBF_BBEF { p += 3 }
        skipWhitespace()
    }

    /// Creates a reader for one value within a document that is known to be JSON.
    ///
    /// Do not call `finish()`, as other text follows.
    init(_ bytes: JSONBytes, valueAt offset: Int) {
        self.init(bytes, options: .deepest)
        p = base + offset
    }

    /// The number of bytes before the cursor.
    @inlinable public var offset: Int { p - base }

    /// Whether no error was noted so far.
    public var isValid: Bool { notes.isEmpty }

    /// Skips blanks, tabs and line ends (RFC 8259 §2).
    @inlinable @inline(__always) mutating func skipWhitespace() {
        // All blanks are at or below 0x20. Other controls end the run below, and no read accepts
        // them.
        if p.pointee > 0x20 { return }
        skipRun()
    }

    @usableFromInline @inline(never) mutating func skipRun() {
        var q = p
        while true {
            switch q.pointee {
            case 0x20, 0x0A, 0x0D, 0x09: q += 1
            default:
                p = q
                return
            }
            // Skips indentation, eight blanks at a time.
            while UnsafeRawPointer(q).loadUnaligned(as: UInt64.self) == 0x2020_2020_2020_2020 { q += 8 }
        }
    }

    /// Returns eight bytes at `ahead` from the cursor, the first one lowest.
    ///
    /// Near the end they include padding.
    @inlinable @inline(__always) func word(_ ahead: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(p + ahead).loadUnaligned(as: UInt64.self))
    }

    @inlinable @inline(__always) func halfWord() -> UInt32 {
        UInt32(littleEndian: UnsafeRawPointer(p).loadUnaligned(as: UInt32.self))
    }
}

/// The kind of a value, known from its first byte.
public enum JSONKind: Sendable, Hashable, CaseIterable {
    /// The kinds of RFC 8259 §3.
    case object, array, string, number, bool, null
}

extension JSONReader {
    /// The kind of the value at the cursor, or nil.
    ///
    /// It is nil if no value can begin there, as at the end.
    @inlinable public var kind: JSONKind? {
        switch p.pointee {
        case 0x7B: .object
        case 0x5B: .array
        case 0x22: .string
        case 0x2D, 0x30...0x39: .number
        case 0x74, 0x66: .bool
        case 0x6E: .null
        default: nil
        }
    }

    /// Skips `null` if it is at the cursor; otherwise the cursor stays.
    @inlinable @inline(__always) public mutating func null() -> Bool {
        // "null" as a little-endian word.
        guard halfWord() == 0x6C6C_756E else { return false }
        p += 4
        return true
    }

    /// Reads `true` or `false`; any other value is noted and skipped, and gives nil.
    @inlinable @inline(__always) public mutating func bool() -> Bool? {
        let text = halfWord()
        if text == 0x6575_7274 {
            p += 4
            return true
        }
        // "fals" as a little-endian word, then "e".
        if text == 0x736C_6166, p[4] == 0x65 {
            p += 5
            return false
        }
        noteMismatch("true or false")
        return nil
    }
}
