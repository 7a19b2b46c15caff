public import WharfPlayback

/// The number that a screen shows and a person types at the controller.
///
/// It has sixteen digits, as a payment card does, because an attacker who records a pairing can try
/// codes against the record without asking the screen. A QR code can carry ``digits`` instead.
public struct PairingCode: Hashable, Sendable, CustomStringConvertible {
    /// The number of digits.
    public static let length = 16
    /// One above the highest code.
    static let bound: UInt64 = 10_000_000_000_000_000

    /// The digits alone.
    public let digits: String

    /// Reads what a person typed. Spaces and hyphens are ignored.
    ///
    /// - Throws: `malformed` unless there are sixteen digits.
    public init(_ text: String) throws(PlaybackError) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }
        guard digits.count == Self.length,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else {
            // The text is not quoted: it may be nearly the code, and errors are logged.
            throw PlaybackError(
                .malformed, "the pairing code is not \(Self.length) digits; type it as the screen shows it")
        }
        self.digits = String(decoding: digits, as: UTF8.self)
    }

    init(number: UInt64) {
        let text = String(number % Self.bound)
        digits = String(repeating: "0", count: Self.length - text.utf8.count) + text
    }

    /// Four groups of four digits, to be shown.
    public var description: String {
        stride(from: 0, to: Self.length, by: 4).map { start in
            String(digits.dropFirst(start).prefix(4))
        }.joined(separator: " ")
    }
}
