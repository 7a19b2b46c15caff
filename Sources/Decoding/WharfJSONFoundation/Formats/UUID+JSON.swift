public import Foundation
public import WharfJSON

/// A string of 32 hexadecimal digits in five groups (RFC 9562 §4).
///
/// Reading accepts both cases; writing uses capitals.
extension UUID: JSONCodable {
    public static func decode(from json: inout JSONReader) -> UUID? {
        json.text(expected: "a UUID, such as \"F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6\"") { UUIDText.uuid($0) }
    }

    public func encode(into json: inout JSONWriter) { json.string(uuidString) }
}

/// A UUID as the key of an object has the same text as the string.
extension UUID: JSONObjectKey {
    public init?(jsonKey: String) {
        var text = jsonKey
        guard let uuid = text.withUTF8({ UUIDText.uuid(UnsafeRawBufferPointer($0)) }) else { return nil }
        self = uuid
    }

    public var jsonKey: String { uuidString }
}

enum UUIDText {
    static func uuid(_ text: UnsafeRawBufferPointer) -> UUID? {
        guard text.count == 36, text[8] == 0x2D, text[13] == 0x2D, text[18] == 0x2D, text[23] == 0x2D else {
            return nil
        }
        // The first digit becomes the highest, so the bytes are in network order below.
        var value: UInt128 = 0
        for (index, byte) in text.enumerated() where ![8, 13, 18, 23].contains(index) {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x37
            case 0x61...0x66: digit = byte - 0x57
            default: return nil
            }
            value = value << 4 | UInt128(digit)
        }
        // Both types are sixteen bytes without padding.
        return UUID(uuid: withUnsafeBytes(of: value.bigEndian) { $0.loadUnaligned(as: uuid_t.self) })
    }
}
