/// Checks a whole document against RFC 8259 and builds its index in the same pass.
///
/// The pointers point into the memory of a ``JSONBytes`` that the caller keeps alive. It ends in
/// ``JSONBytes/padding`` zeros. A zero is neither white space nor part of any token, so no loop
/// passes `end`. Words loaded at the cursor stay inside.
struct TapeScanner: ~Copyable {
    var p: UnsafePointer<UInt8>
    let base: UnsafePointer<UInt8>
    let end: UnsafePointer<UInt8>
    var tape: Tape
    private let maximumDepth: Int
    /// The open array or object; 0 if there is none.
    ///
    /// While it is open, the `end` of its second node is the index of the enclosing one.
    private var open = 0
    private var depth = 0
    private var filters = KeyFilters()

    init(base: UnsafePointer<UInt8>, count: Int, maximumDepth: Int) {
        self.base = base
        end = base + count
        p = base
        // Real documents have at least eight bytes per node.
        tape = Tape(capacity: count / 8 + 16)
        self.maximumDepth = maximumDepth
        // A byte order mark is skipped (RFC 8259 §8.1 allows that).
        if count >= 3, base[0] == 0xEF, base[1] == 0xBB, base[2] == 0xBF { p += 3 }
    }

    /// Returns false if the document is not JSON.
    ///
    /// The reader then finds the reason.
    mutating func scan() -> Bool {
        skipWhitespace()
        while true {
            switch p.pointee {
            case 0x22:
                guard string() else { return false }
            case 0x7B:
                guard enter(.object) else { return false }
                if p.pointee == 0x7D {
                    leave()
                } else {
                    guard key() else { return false }
                    continue
                }
            case 0x5B:
                guard enter(.array) else { return false }
                if p.pointee == 0x5D { leave() } else { continue }
            case 0x2D, 0x30...0x39:
                guard number() else { return false }
            case 0x74 where halfWord() == 0x6575_7274: literal(.yes, 4)
            case 0x6E where halfWord() == 0x6C6C_756E: literal(.null, 4)
            case 0x66 where halfWord() == 0x736C_6166 && p[4] == 0x65: literal(.no, 5)
            default: return false
            }
            while true {
                skipWhitespace()
                // A zero byte inside of the document ends the scan as well, so the position
                // decides.
                guard open != 0 else { return p == end }
                tape.nodes[open].count += 1
                let isObject = tape.nodes[open].kind == .object
                if p.pointee == 0x2C {
                    p += 1
                    skipWhitespace()
                    if isObject, !key() { return false }
                    break
                }
                // Neither comma nor the right bracket. `[1}` ends here.
                guard p.pointee == (isObject ? 0x7D : 0x5D) else { return false }
                leave()
            }
        }
    }

    private mutating func enter(_ kind: TapeNode.Kind) -> Bool {
        guard depth < maximumDepth else { return false }
        depth += 1
        let outer = open
        open = tape.count
        tape.append(TapeNode(start: offset, end: 0, kind: kind))
        // The chain of open containers lives in the tape itself, so nesting needs no stack.
        tape.append(TapeNode(start: 0, end: UInt32(truncatingIfNeeded: outer), kind: .null))
        p += 1
        if kind == .object {
            filters.clear(depth)
        }
        skipWhitespace()
        return true
    }

    /// Closes the open array or object; the cursor is at its closing bracket.
    private mutating func leave() {
        p += 1
        let outer = Int(tape.nodes[open + 1].end)
        tape.nodes[open].end = UInt32(truncatingIfNeeded: tape.count)
        tape.nodes[open + 1].start = offset
        // The first key is the first to try.
        tape.nodes[open + 1].end = UInt32(truncatingIfNeeded: open + 2)
        open = outer
        depth -= 1
    }

    /// Scans a key, its colon, and the white space around it.
    private mutating func key() -> Bool {
        guard p.pointee == 0x22, string() else { return false }
        noteKey()
        skipWhitespace()
        guard p.pointee == 0x3A else { return false }
        p += 1
        skipWhitespace()
        return true
    }

    /// Marks the object as irregular if comparing bytes can't distinguish its keys.
    @inline(__always) private mutating func noteKey() {
        let key = tape.count - 1
        let node = tape.nodes[key]
        guard node.flags.isEmpty, tape.nodes[open].count < KeyFilter.mostKeys else {
            tape.nodes[open].flags.insert(.irregular)
            return
        }
        // Nearly always false, and then the key is new for certain.
        if filters.mayHave(base + Int(node.start), Int(node.end - node.start), at: depth) { findRepetition(of: key) }
    }

    @inline(never) private mutating func findRepetition(of key: Int) {
        let node = tape.nodes[key]
        var other = open + 2
        while other < key {
            let earlier = tape.nodes[other]
            if earlier.end - earlier.start == node.end - node.start,
                RawKey.equal(base + Int(earlier.start), base + Int(node.start), Int(node.end - node.start))
            {
                tape.nodes[open].flags.insert(.irregular)
                return
            }
            let value = tape.nodes[other + 1]
            other = value.kind == .array || value.kind == .object ? Int(value.end) : other + 2
        }
    }

    @inline(__always) private mutating func literal(_ kind: TapeNode.Kind, _ length: Int) {
        let start = offset
        p += length
        tape.append(TapeNode(start: start, end: offset, kind: kind))
    }

    @inline(__always) var offset: UInt32 { UInt32(truncatingIfNeeded: p - base) }

    @inline(__always) func halfWord() -> UInt32 {
        UInt32(littleEndian: UnsafeRawPointer(p).loadUnaligned(as: UInt32.self))
    }

    @inline(__always) mutating func skipWhitespace() {
        if p.pointee > 0x20 { return }
        while p.pointee == 0x20 || p.pointee == 0x0A || p.pointee == 0x0D || p.pointee == 0x09 {
            p += 1
            // Skips indentation, eight blanks at a time.
            while UnsafeRawPointer(p).loadUnaligned(as: UInt64.self) == 0x2020_2020_2020_2020 { p += 8 }
        }
    }
}
