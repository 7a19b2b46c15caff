import Testing
import WharfCore

@Suite struct XXH64Tests {
    /// The specification's sanity check. Its bytes come from a generator that starts at 2654435761
    /// and is multiplied by a prime on each step.
    private static let sanity: [UInt8] = {
        var generator: UInt64 = 2_654_435_761
        return (0..<222).map { _ in
            defer { generator = generator &* 11_400_714_785_074_694_797 }
            return UInt8(generator >> 56)
        }
    }()

    @Test(arguments: [
        (0, UInt64(0), UInt64(0xEF46_DB37_51D8_E999)),
        (0, 2_654_435_761, 0xAC75_FDA2_929B_17EF),
        (1, 0, 0xE934_A84A_DB05_2768),
        (1, 2_654_435_761, 0x5014_6076_43A9_B4C3), (4, 0, 0x9136_A0DC_A574_57EE),
        (14, 0, 0x8282_DCC4_994E_35C8),
        (14, 2_654_435_761, 0xC3BD_6BF6_3DEB_6DF0),
        (222, 0, 0xB641_AE8C_B691_C174),
        (222, 2_654_435_761, 0x20CB_8AB7_AE10_C14A),
    ])
    func hashMatchesThePublishedVectors(count: Int, seed: UInt64, expected: UInt64) {
        #expect(XXH64.hash(Array(Self.sanity.prefix(count)), seed: seed) == expected)
    }

    @Test(arguments: [
        ("", UInt64(0xEF46_DB37_51D8_E999)), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
    ])
    func hashMatchesKnownTexts(text: String, expected: UInt64) {
        #expect(XXH64.hash(Array(text.utf8)) == expected)
    }

    @Test func hashChangesWithEachBit() {
        let bytes = Array(Self.sanity.prefix(77))
        let whole = XXH64.hash(bytes)
        for index in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[index] ^= 1 << bit
                #expect(XXH64.hash(flipped) != whole)
            }
        }
    }
}
