public import WharfPlayback

/// The number that a screen shows and the user types at the controller.
///
/// It has sixteen digits, like a payment card. An attacker with a recorded pairing can try codes
/// offline against the record, so a short code would be guessed. A QR code can carry ``digits``
/// instead.
public struct PairingCode: Hashable, Sendable, CustomStringConvertible {
    /// The number of digits.
    public static let length = 16
    /// The exclusive upper bound of codes.
    static let bound: UInt64 = 10_000_000_000_000_000

    /// The digits without spaces.
    public let digits: String

    /// Creates a code from the user's input. Spaces and hyphens are ignored.
    ///
    /// - Throws: `malformed` if there are not sixteen digits.
    public init(_ text: String) throws(PlaybackError) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }
        guard digits.count == Self.length,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else {
            // The message does not quote the text: it may be almost the code, and errors are
            // logged.
            throw PlaybackError(
                .malformed, "the pairing code does not have \(Self.length) digits; enter it as the screen shows it")
        }
        self.digits = String(decoding: digits, as: UTF8.self)
    }

    init(number: UInt64) {
        let text = String(number % Self.bound)
        digits = String(repeating: "0", count: Self.length - text.utf8.count) + text
    }

    /// The digits in four groups of four, for display.
    public var description: String {
        stride(from: 0, to: Self.length, by: 4).map { start in
            String(digits.dropFirst(start).prefix(4))
        }.joined(separator: " ")
    }
}
