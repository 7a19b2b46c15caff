package import Foundation

/// Bytes as canonical base64 (RFC 4648 §4).
///
/// The text is padded, has no line breaks, and its unused bits are zero.
package enum Base64Text {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The value of each character; 0xFF for characters outside the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// Returns the bytes; nil if the text is not canonical base64.
    package static func data(_ text: UnsafeRawBufferPointer) -> Data? {
        guard text.count.isMultiple(of: 4) else { return nil }
        guard !text.isEmpty else { return Data() }
        // One "=" for two bytes in the last group, two for one byte.
        let padding = text[text.count - 1] != 0x3D ? 0 : text[text.count - 2] != 0x3D ? 1 : 2
        // The length of the unpadded groups, each of which encodes three bytes.
        let whole = text.count - (padding > 0 ? 4 : 0)
        var data = Data(count: text.count / 4 * 3 - padding)
        let isValid = values.withUnsafeBufferPointer { values in
            data.withUnsafeMutableBytes { (target: UnsafeMutableRawBufferPointer) in
                // Four characters give three bytes, so `place` ends at 3 * whole / 4. With the last
                // group that is `target.count`. The table has a value for each byte.
                var place = 0
                for index in stride(from: 0, to: whole, by: 4) {
                    let (a, b) = (values[Int(text[index])], values[Int(text[index + 1])])
                    let (c, d) = (values[Int(text[index + 2])], values[Int(text[index + 3])])
                    // A character outside of the alphabet has all bits set, so one comparison
                    // checks all four. "=" is none of the alphabet, so padding inside is refused.
                    guard (a | b | c | d) < 64 else { return false }
                    target[place] = a << 2 | b >> 4
                    target[place + 1] = b << 4 | c >> 2
                    target[place + 2] = c << 6 | d
                    place += 3
                }
                guard padding > 0 else { return true }
                let (a, b) = (values[Int(text[whole])], values[Int(text[whole + 1])])
                let c = padding == 1 ? values[Int(text[whole + 2])] : 0
                // The unused bits must be zero (RFC 4648 §3.5). Otherwise several texts would give
                // the same bytes.
                guard (a | b | c) < 64, (padding == 1 ? c & 0b11 : b & 0b1111) == 0 else { return false }
                target[place] = a << 2 | b >> 4
                if padding == 1 { target[place + 1] = b << 4 | c >> 2 }
                return true
            }
        }
        return isValid ? data : nil
    }

    package static func bytes(_ data: Data) -> [UInt8] {
        data.withUnsafeBytes { data in
            [UInt8](unsafeUninitializedCapacity: (data.count + 2) / 3 * 4) { text, count in
                // Each group of up to three bytes gives four characters, which is the capacity
                // asked for.
                for start in stride(from: 0, to: data.count, by: 3) {
                    let a = data[start]
                    let b = start + 1 < data.count ? data[start + 1] : 0
                    let c = start + 2 < data.count ? data[start + 2] : 0
                    text[count] = alphabet[Int(a >> 2)]
                    text[count + 1] = alphabet[Int((a << 4 | b >> 4) & 63)]
                    text[count + 2] = start + 1 < data.count ? alphabet[Int((b << 2 | c >> 6) & 63)] : 0x3D
                    text[count + 3] = start + 2 < data.count ? alphabet[Int(c & 63)] : 0x3D
                    count += 4
                }
            }
        }
    }
}
