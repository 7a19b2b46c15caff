/// SHA-256 (FIPS 180-4). Its time depends only on the length of the message.
///
/// It is implemented here so that this module needs no cryptography package for one function. The
/// trait Encryption brings swift-crypto, and a screen works without that trait.
struct SHA256 {
    static let blockSize = 64

    private var hash: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    /// The bytes after the last whole block: fewer than ``blockSize`` between calls.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.append(bytes)
        return hash.finish()
    }

    mutating func append(_ bytes: [UInt8]) {
        count += UInt64(bytes.count)
        rest += bytes
        var start = 0
        while rest.count - start >= Self.blockSize {
            compress(rest[start..<(start + Self.blockSize)])
            start += Self.blockSize
        }
        rest.removeFirst(start)
    }

    /// Returns the digest of all bytes, 32 bytes long.
    func finish() -> [UInt8] {
        var last = self
        let bits = count * 8
        // Section 5.1.1: a one bit, zeros up to 8 bytes before the end of a block, and the length.
        let zeros = (2 * Self.blockSize - 9 - rest.count) % Self.blockSize
        last.append([0x80] + [UInt8](repeating: 0, count: zeros) + Self.bytes(bits))
        return last.hash.flatMap(Self.bytes)
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// Processes one block (section 6.2.2).
    private mutating func compress(_ block: ArraySlice<UInt8>) {
        // No branch and no index below depends on the message, only on its length.
        var words = [UInt32](repeating: 0, count: 64)
        for (index, byte) in block.enumerated() { words[index / 4] = words[index / 4] << 8 | UInt32(byte) }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let first = Self.turn(early, 7) ^ Self.turn(early, 18) ^ (early >> 3)
            let second = Self.turn(late, 17) ^ Self.turn(late, 19) ^ (late >> 10)
            words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
        }
        var (a, b, c, d) = (hash[0], hash[1], hash[2], hash[3])
        var (e, f, g, h) = (hash[4], hash[5], hash[6], hash[7])
        for index in 0..<64 {
            let sumOfE = Self.turn(e, 6) ^ Self.turn(e, 11) ^ Self.turn(e, 25)
            // `Ch` and `Maj` (section 4.1.2).
            let choice = (e & f) ^ (~e & g)
            let first = h &+ sumOfE &+ choice &+ Self.constants[index] &+ words[index]
            let sumOfA = Self.turn(a, 2) ^ Self.turn(a, 13) ^ Self.turn(a, 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let second = sumOfA &+ majority
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { hash[index] &+= word }
    }

    private static func turn(_ word: UInt32, _ bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
