import Testing
import WharfChecks
import WharfCore

@Suite struct OutboxEntryIDTests {
    /// A generator that always returns the same number.
    struct Constant: RandomNumberGenerator {
        var number: UInt64
        mutating func next() -> UInt64 { number }
    }

    /// RFC 9562 §5.7: 48 bits of milliseconds, the version, 12 bits of sub-millisecond time, the
    /// variant.
    @Test(arguments: [
        (0 as Int64, 0 as UInt64, "00000000-0000-7000-8000-000000000000"),
        (1_000_000_000_000_000_000, .max, "00e8d4a5-1000-7000-bfff-ffffffffffff"),
        (1_000_000_000_000_500_000, 0x3C, "00e8d4a5-1000-7800-8000-00000000000f"),
        (1_000_000_000_000_999_999, 0, "00e8d4a5-1000-7fff-8000-000000000000"),
        (-5, 0, "00000000-0000-7000-8000-000000000000"),
        (.max, .max, "08637bd0-5af6-7c69-bfff-ffffffffffff"),
    ])
    func anIDIsAUUIDOfVersionSeven(nanoseconds: Int64, random: UInt64, text: String) {
        var random = Constant(number: random)
        #expect(OutboxEntry.ID(at: WallTime(nanoseconds: nanoseconds), using: &random).text == text)
    }

    @Test func idsOfLaterMomentsSortAfterThoseOfEarlierOnes() async throws {
        let moments = Generator<Int64>.int(in: 0...(.max - 1_000))
        // Two ids within one step of 244 nanoseconds may be in any order.
        try await forAll(.zip(moments, Generator<Int64>.int(in: 250...1_000))) { nanoseconds, later in
            var random = SystemRandomNumberGenerator()
            let first = OutboxEntry.ID(at: WallTime(nanoseconds: nanoseconds), using: &random)
            let second = OutboxEntry.ID(at: WallTime(nanoseconds: nanoseconds + later), using: &random)
            try require(first < second, "\(first) is not before \(second)")
        }
    }
}
