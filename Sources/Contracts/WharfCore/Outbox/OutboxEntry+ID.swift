internal import WharfPrimitives

extension OutboxEntry {
    /// The id of an entry: a UUID of version 7 as text (RFC 9562 §5.7).
    ///
    /// Ids of later times sort after those of earlier ones.
    public struct ID: Hashable, Sendable, Comparable, CustomStringConvertible {
        /// The text of the UUID.
        public let text: String

        /// Creates an id from the text of an earlier one.
        public init(_ text: String) { self.text = text }

        /// Creates a new id.
        ///
        /// Twelve bits hold the fraction of the millisecond (RFC 9562 §6.2, method 3). The other
        /// bits are random.
        public init(at time: WallTime, using random: inout some RandomNumberGenerator) {
            let nanoseconds = UInt64(max(0, time.nanoseconds))
            let (milliseconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
            // A millisecond in 4,096 steps, so that ids of one millisecond sort by time.
            let fraction = rest * 4_096 / 1_000_000
            // 48 bits of time, the version 7, and the fraction.
            let high = milliseconds << 16 | 0x7000 | fraction
            // The variant is the bits 10. The other 62 bits are random.
            let low = random.next() >> 2 | 1 << 63
            self.init(Self.text(high, low))
        }

        public var description: String { text }

        public static func < (a: Self, b: Self) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

        private static func text(_ high: UInt64, _ low: UInt64) -> String {
            var text: [UInt8] = []
            text.reserveCapacity(36)
            for index in 0..<32 {
                if [8, 12, 16, 20].contains(index) { text.append(UInt8(ascii: "-")) }
                let word = index < 16 ? high : low
                text.append(Hexadecimal.digit(UInt8(word >> UInt64(60 - index % 16 * 4) & 0xF)))
            }
            return String(decoding: text, as: UTF8.self)
        }
    }
}
