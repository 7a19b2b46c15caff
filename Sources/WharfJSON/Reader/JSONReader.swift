/// Reads JSON from bytes, value by value, in one pass: the cursor that direct decoding runs on, and
/// a pull parser for tools.
///
/// It accepts what RFC 8259 defines and nothing else, also in what it skips. It never throws: a
/// value that is not what was asked for is noted with its place and skipped, and the read answers
/// nil; so one pass finds every error. A breach of the grammar is noted too and moves the cursor to
/// the end, where every later read answers nil without a note of its own.
///
/// ```swift
/// var json = JSONReader(JSONBytes(#"{"id": 7, "name": "Ann"}"#))
/// let user = User.decode(from: &json)
/// try json.finish()
/// ```
///
/// A read is called when the cursor stands at the first byte of a value. ``read(_:_:into:_:)``,
/// ``next(_:)-(JSONElements)`` and the initialiser leave it there.
///
/// The pointers are into `storage`, which this keeps alive, and which ends in ``JSONBytes/padding``
/// zeros. A zero is neither white space nor part of any token, so no loop passes `end`, and looking
/// at most 32 bytes ahead of the cursor stays inside.
public struct JSONReader: ~Copyable {
    @usableFromInline var p: UnsafePointer<UInt8>
    @usableFromInline let base: UnsafePointer<UInt8>
    @usableFromInline let end: UnsafePointer<UInt8>
    /// How many more levels may open.
    @usableFromInline var levelsLeft: Int
    @usableFromInline var notes: JSONNotes
    @usableFromInline let storage: JSONStorage
    let stack: StackBudget

    public init(_ bytes: JSONBytes, options: JSONReadingOptions = .init()) {
        storage = bytes.storage
        base = UnsafePointer(storage.base.assumingMemoryBound(to: UInt8.self))
        end = base + storage.count
        p = base
        levelsLeft = options.maximumDepth
        stack = StackBudget(bytes: options.stackBudget)
        notes = JSONNotes(options: options, length: storage.count)
        // A byte order mark is passed over, as RFC 8259 §8.1 allows.
        if word(0) & 0xFF_FFFF == 0xBF_BBEF { p += 3 }
        skipWhitespace()
    }

    /// For one value within a document that is known to be JSON. It can't be finished, as other
    /// text follows.
    init(_ bytes: JSONBytes, valueAt offset: Int) {
        self.init(bytes, options: .deepest)
        p = base + offset
    }

    /// How many bytes lie before the cursor.
    @inlinable public var offset: Int { p - base }

    /// False once something was noted.
    public var isValid: Bool { notes.isEmpty }

    /// Passes blanks, tabs and line ends (RFC 8259 §2).
    @inlinable @inline(__always) mutating func skipWhitespace() {
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
            // Indentation, eight blanks at a time.
            while UnsafeRawPointer(q).loadUnaligned(as: UInt64.self) == 0x2020_2020_2020_2020 { q += 8 }
        }
    }

    /// Eight bytes from the cursor on, the first one lowest; inside of the padding where fewer are
    /// left.
    @inlinable @inline(__always) func word(_ ahead: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(p + ahead).loadUnaligned(as: UInt64.self))
    }

    @inlinable @inline(__always) func halfWord() -> UInt32 {
        UInt32(littleEndian: UnsafeRawPointer(p).loadUnaligned(as: UInt32.self))
    }
}

/// What kind of value begins with a byte.
public enum JSONKind: Sendable, Hashable, CaseIterable {
    case object, array, string, number, bool, null
}

extension JSONReader {
    /// What stands at the cursor by its first byte; nil when that can't begin a value, as at the
    /// end.
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

    /// Passes `null` if it stands here; otherwise stays.
    @inlinable @inline(__always) public mutating func null() -> Bool {
        guard halfWord() == 0x6C6C_756E else { return false }
        p += 4
        return true
    }

    /// nil, and noted, for anything but `true` and `false`; what stands there is passed over.
    @inlinable @inline(__always) public mutating func bool() -> Bool? {
        let text = halfWord()
        if text == 0x6575_7274 {
            p += 4
            return true
        }
        if text == 0x736C_6166, p[4] == 0x65 {
            p += 5
            return false
        }
        noteMismatch("true or false")
        return nil
    }
}
