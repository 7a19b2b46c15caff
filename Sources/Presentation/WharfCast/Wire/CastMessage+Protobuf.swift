internal import WharfPlayback

/// The protobuf encoding, written by hand.
///
/// The message has seven fields of two kinds. A hundred lines here replace a package of generated
/// code and its runtime in every dependency graph.
extension CastMessage {
    private enum Field {
        static let protocolVersion: UInt64 = 1
        static let source: UInt64 = 2
        static let destination: UInt64 = 3
        static let namespace: UInt64 = 4
        static let payloadType: UInt64 = 5
        static let payloadText: UInt64 = 6
        static let payloadBinary: UInt64 = 7
    }

    /// The value CASTV2_1_0.
    private static let version: UInt64 = 0
    private static let textType: UInt64 = 0
    private static let binaryType: UInt64 = 1

    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(number: Self.version, field: Field.protocolVersion)
        bytes.append(text: source, field: Field.source)
        bytes.append(text: destination, field: Field.destination)
        bytes.append(text: namespace, field: Field.namespace)
        switch payload {
        case .text(let text):
            bytes.append(number: Self.textType, field: Field.payloadType)
            bytes.append(text: text, field: Field.payloadText)
        case .binary(let binary):
            bytes.append(number: Self.binaryType, field: Field.payloadType)
            bytes.append(binary, field: Field.payloadBinary)
        }
        return bytes
    }

    /// Parses a message. As in protobuf, the last one of a repeated field counts, and unknown
    /// fields are skipped.
    init(encoded bytes: ArraySlice<UInt8>) throws(PlaybackError) {
        var texts: [UInt64: String] = [:]
        var type: UInt64?
        var binary: [UInt8] = []
        var reader = ProtobufReader(bytes)
        while let (field, value) = try reader.next() {
            switch (field, value) {
            case (Field.source...Field.namespace, .bytes(let bytes)), (Field.payloadText, .bytes(let bytes)):
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    throw PlaybackError(
                        .malformed, "expected UTF-8 in field \(field) of a CastMessage, found other bytes")
                }
                texts[field] = text
            case (Field.payloadType, .varint(let number)): type = number
            case (Field.payloadBinary, .bytes(let bytes)): binary = Array(bytes)
            // The value is not checked: every version so far has these fields.
            case (Field.protocolVersion, .varint): break
            case (Field.protocolVersion...Field.payloadBinary, _):
                throw PlaybackError(
                    .malformed, "expected the wire type of field \(field) of a CastMessage, found another")
            default: break
            }
        }
        guard let source = texts[Field.source], let destination = texts[Field.destination],
            let namespace = texts[Field.namespace], let type
        else {
            throw PlaybackError(
                .malformed,
                "a CastMessage lacks its source, destination, namespace or payload type")
        }
        let text = texts[Field.payloadText] ?? ""
        self.init(
            source: source, destination: destination, namespace: namespace,
            payload: type == Self.textType ? .text(text) : .binary(binary))
    }
}

extension [UInt8] {
    fileprivate mutating func append(varint value: UInt64) {
        var rest = value
        // Seven bits for each byte, the lowest first. The top bit says that more follow.
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    fileprivate mutating func append(number: UInt64, field: UInt64) {
        append(varint: field << 3)
        append(varint: number)
    }

    fileprivate mutating func append(_ bytes: some Collection<UInt8>, field: UInt64) {
        append(varint: field << 3 | 2)
        append(varint: UInt64(bytes.count))
        append(contentsOf: bytes)
    }

    fileprivate mutating func append(text: String, field: UInt64) { append(text.utf8, field: field) }
}
