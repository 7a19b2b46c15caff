/// The 64-bit xxHash of Yann Collet (specification 0.1.1).
///
/// It detects damage. It does not protect against deliberate changes.
package enum XXH64 {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    /// Returns the hash of these bytes.
    package static func hash(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
        bytes.withUnsafeBytes { hash($0, seed: seed) }
    }

    // Raw pointers, because a bounds check per word halves the speed. The loop conditions keep
    // every load within the buffer: it reads `width` bytes at an offset of at most `count - width`.
    // `loadUnaligned` needs no alignment.
    package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        let count = bytes.count
        guard count > 0, let base = bytes.baseAddress else { return avalanche(seed &+ prime5) }
        var offset = 0
        var hash: UInt64
        // Stripes of 32 bytes, in four lanes that do not depend on each other.
        if count >= 32 {
            var a = seed &+ prime1 &+ prime2
            var b = seed &+ prime2
            var c = seed
            var d = seed &- prime1
            while offset <= count - 32 {
                a = round(a, word(base, offset))
                b = round(b, word(base, offset + 8))
                c = round(c, word(base, offset + 16))
                d = round(d, word(base, offset + 24))
                offset += 32
            }
            // The four lanes converge into one word.
            hash = rotate(a, 1) &+ rotate(b, 7) &+ rotate(c, 12) &+ rotate(d, 18)
            hash = (hash ^ round(0, a)) &* prime1 &+ prime4
            hash = (hash ^ round(0, b)) &* prime1 &+ prime4
            hash = (hash ^ round(0, c)) &* prime1 &+ prime4
            hash = (hash ^ round(0, d)) &* prime1 &+ prime4
        } else {
            hash = seed &+ prime5
        }
        // The length counts, so that trailing zero bytes change the hash.
        hash &+= UInt64(count)
        // The rest: whole words, then four bytes, then single bytes.
        while offset <= count - 8 {
            hash = rotate(hash ^ round(0, word(base, offset)), 27) &* prime1 &+ prime4
            offset += 8
        }
        if offset <= count - 4 {
            let half = UInt64(UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            hash = rotate(hash ^ (half &* prime1), 23) &* prime2 &+ prime3
            offset += 4
        }
        while offset < count {
            let byte = UInt64(base.load(fromByteOffset: offset, as: UInt8.self))
            hash = rotate(hash ^ (byte &* prime5), 11) &* prime1
            offset += 1
        }
        // Each bit of the input now affects each bit of the hash.
        return avalanche(hash)
    }

    @inline(__always)
    private static func word(_ base: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
        (value &<< bits) | (value &>> (64 &- bits))
    }

    @inline(__always)
    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotate(lane &+ word &* prime2, 31) &* prime1
    }

    private static func avalanche(_ value: UInt64) -> UInt64 {
        var hash = value
        hash = (hash ^ (hash &>> 33)) &* prime2
        hash = (hash ^ (hash &>> 29)) &* prime3
        return hash ^ (hash &>> 32)
    }
}
