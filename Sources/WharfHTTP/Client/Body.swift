internal import WharfCore
internal import WharfJSON

/// The whole body of an answer, in the form that its decoding reads.
enum Body {
    case bytes([UInt8])
    /// In memory that ends in zeros, as the JSON reader wants it.
    case json(JSONBytes)

    var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .json(let bytes): bytes.count
        }
    }

    /// As much of it as a failure carries.
    var excerpt: [UInt8] {
        switch self {
        case .bytes(let bytes): Array(bytes.prefix(ReadFailure.excerptLimit))
        case .json(let bytes): bytes[0..<ReadFailure.excerptLimit]
        }
    }
}

extension Body {
    /// Reads a stream to its end. For JSON each byte is copied once, to its place.
    init(_ stream: BodyStream, upTo limit: Int, asJSON: Bool) async throws(TransportError) {
        guard asJSON else {
            self = .bytes(try await stream.collect(upTo: limit))
            return
        }
        // One reservation for what is announced, bounded in case the announcement is a lie.
        let expected = stream.expectedLength.map { Int(min($0, Int64(limit), 64 << 20)) }
        var buffer = JSONBuffer(expecting: expected)
        try await stream.collect(upTo: limit) { buffer.append(count: $0.count, copy: $0.copy) }
        self = .json(buffer.bytes())
    }
}
