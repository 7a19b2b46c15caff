public import Foundation
public import WharfJSON

/// Bytes as a string in canonical base64 (RFC 4648 §4).
///
/// Decoding is strict: it requires padding, refuses line breaks, and accepts only one text for the
/// same bytes.
extension Data: JSONCodable {
    public static func decode(from json: inout JSONReader) -> Data? {
        json.text(expected: "base64 with padding (RFC 4648)") { Base64Text.data($0) }
    }

    public func encode(into json: inout JSONWriter) {
        json.raw([0x22] + Base64Text.bytes(self) + [0x22])
    }
}
