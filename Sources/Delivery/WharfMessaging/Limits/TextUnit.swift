/// In what a channel counts how long a text is.
public struct TextUnit: Sendable {
    public let name: String
    /// Grows with the text: what begins with a text is not shorter than that.
    public let count: @Sendable (String) -> Int

    public init(_ name: String, count: @escaping @Sendable (String) -> Int) {
        self.name = name
        self.count = count
    }

    public static let scalars = TextUnit("scalars") { $0.unicodeScalars.count }
    public static let utf16 = TextUnit("UTF-16 units") { $0.utf16.count }
    /// Of UTF-8.
    public static let bytes = TextUnit("bytes") { $0.utf8.count }
    /// Of a short message, which holds 160 (3GPP TS 23.038 §6.2.1): one for a character of the
    /// default alphabet, two for one of its extension. One character outside of both and the whole
    /// text is written in UTF-16, of which 70 units take the same room.
    public static let septets = TextUnit("septets") { GSMAlphabet.septets($0) }
}

/// The default alphabet of short messages and its extension (3GPP TS 23.038 §6.2.1, §6.2.1.1).
enum GSMAlphabet {
    static func septets(_ text: String) -> Int {
        var count = 0
        for scalar in text.unicodeScalars {
            if basic.contains(scalar) {
                count += 1
            } else if extended.contains(scalar) {
                count += 2
            } else {
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
