/// The unit in which a channel measures the length of a text.
public struct TextUnit: Sendable {
    /// The plural name of the unit, for error messages.
    public let name: String
    /// Returns the length of a text in this unit.
    ///
    /// It is monotonic: a text is at least as long as each of its prefixes.
    public let count: @Sendable (String) -> Int

    /// Creates a unit.
    public init(_ name: String, count: @escaping @Sendable (String) -> Int) {
        self.name = name
        self.count = count
    }

    /// Unicode scalars.
    public static let scalars = TextUnit("scalars") { $0.unicodeScalars.count }
    /// UTF-16 code units.
    public static let utf16 = TextUnit("UTF-16 units") { $0.utf16.count }
    /// Bytes of UTF-8.
    public static let bytes = TextUnit("bytes") { $0.utf8.count }
    /// Septets of an SMS, which holds 160 of them (3GPP TS 23.038 §6.2.1).
    ///
    /// A character of the default alphabet takes one septet, a character of its extension two. If
    /// the text has any other character, the whole text is sent as UTF-16, and 70 code units fill
    /// an SMS.
    public static let septets = TextUnit("septets") { GSMAlphabet.septets($0) }
}

/// The default alphabet of SMS and its extension (3GPP TS 23.038 §6.2.1, §6.2.1.1).
enum GSMAlphabet {
    static func septets(_ text: String) -> Int {
        var count = 0
        for scalar in text.unicodeScalars {
            if basic.contains(scalar) {
                count += 1
            } else if extended.contains(scalar) {
                count += 2
            } else {
                // UCS-2 has 16 bits a unit, counted here in septets and rounded up: 70 units are
                // 160 septets.
                return (text.utf16.count * 16 + 6) / 7
            }
        }
        return count
    }

    private static let basic = Set(
        ("@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿"
            + "abcdefghijklmnopqrstuvwxyzäöñüà").unicodeScalars)
    private static let extended = Set("\u{C}^{}\\[~]|€".unicodeScalars)
}
