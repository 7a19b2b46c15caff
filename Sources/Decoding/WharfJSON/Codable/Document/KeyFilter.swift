/// A Bloom filter of an object's keys, which finds repeated keys without comparing all pairs.
struct KeyFilter {
    /// The limit for the filter. Objects with more keys are looked up by a dictionary anyway.
    static let mostKeys = 64

    private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Adds a key; returns whether an equal key may have been added before.
    ///
    /// - Parameter start: `length` bytes, with seven more that may be read. Padding follows every
    ///   key of a document.
    @inline(__always) mutating func mayHave(_ start: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        let raw = UnsafeRawPointer(start)
        var mixed = UInt64(truncatingIfNeeded: length)
        // First and last eight bytes: keys such as `created_at` and `created_by` differ at the end.
        if length >= 8 {
            let tail = raw.loadUnaligned(fromByteOffset: length - 8, as: UInt64.self)
            mixed ^= raw.loadUnaligned(as: UInt64.self) ^ (tail << 23 | tail >> 41)
        } else {
            mixed ^= raw.loadUnaligned(as: UInt64.self) & ((1 &<< UInt64(truncatingIfNeeded: length << 3)) &- 1)
        }
        // Multiplication moves the entropy into the upper bits, which choose word and bit.
        mixed = mixed &* 0x9E37_79B9_7F4A_7C15
        let bit: UInt64 = 1 &<< (mixed >> 58)
        switch mixed >> 56 & 3 {
        case 0: return Self.test(&bits.0, bit)
        case 1: return Self.test(&bits.1, bit)
        case 2: return Self.test(&bits.2, bit)
        default: return Self.test(&bits.3, bit)
        }
    }

    @inline(__always) private static func test(_ word: inout UInt64, _ bit: UInt64) -> Bool {
        defer { word |= bit }
        return word & bit != 0
    }
}

/// A stack of filters, one per depth.
///
/// Invariant: the memory is allocated here and freed in `deinit`; its first `count` filters are
/// initialised.
struct KeyFilters: ~Copyable {
    private var base = UnsafeMutablePointer<KeyFilter>.allocate(capacity: 16)
    private var count = 16

    init() { base.initialize(repeating: KeyFilter(), count: count) }

    deinit { base.deallocate() }

    /// Clears the filter for an object that begins at this depth, 1 or more.
    @inline(__always) mutating func clear(_ depth: Int) {
        while _slowPath(depth > count) { grow() }
        base[depth - 1] = KeyFilter()
    }

    /// - Parameter depth: the depth of an object for which `clear` was called.
    @inline(__always) mutating func mayHave(_ start: UnsafePointer<UInt8>, _ length: Int, at depth: Int) -> Bool {
        base[depth - 1].mayHave(start, length)
    }

    @inline(never) private mutating func grow() {
        let larger = UnsafeMutablePointer<KeyFilter>.allocate(capacity: count * 2)
        larger.initialize(repeating: KeyFilter(), count: count * 2)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
        count *= 2
    }
}

/// Compares the bytes of keys.
enum RawKey {
    /// Returns whether `count` bytes are equal; reads nothing beyond them.
    @inline(__always) static func equal(
        _ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int
    ) -> Bool {
        let a = UnsafeRawPointer(left)
        let b = UnsafeRawPointer(right)
        if count >= 8 {
            var index = 0
            while index <= count - 8 {
                if a.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    != b.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                {
                    return false
                }
                index += 8
            }
            // Compares the last eight bytes, some of them for a second time.
            return a.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
                == b.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        }
        // Two words of four bytes, which overlap for fewer than eight bytes.
        if count >= 4 {
            return a.loadUnaligned(as: UInt32.self) == b.loadUnaligned(as: UInt32.self)
                && a.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
                    == b.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
        }
        for index in 0..<count where left[index] != right[index] { return false }
        return true
    }
}
