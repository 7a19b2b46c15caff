internal import WharfCore
internal import WharfJSON

/// The whole body of a response, in the form that its decoding reads.
enum Body {
    case bytes([UInt8])
    /// Bytes with zeros behind them, as the JSON reader requires.
    case json(JSONBytes)

    var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .json(let bytes): bytes.count
        }
    }

    /// The first bytes, as many as a failure carries.
    var excerpt: [UInt8] {
        switch self {
        case .bytes(let bytes): Array(bytes.prefix(ReadFailure.excerptLimit))
        case .json(let bytes): bytes[0..<ReadFailure.excerptLimit]
        }
    }
}

extension Body {
    /// Collects a stream to its end. For JSON each byte is copied once, into its final place.
    init(_ stream: BodyStream, upTo limit: Int, asJSON: Bool) async throws(TransportError) {
        guard asJSON else {
            self = .bytes(try await stream.collect(upTo: limit))
            return
        }
        // Reserves the announced length once, at most 64 MiB: a false `Content-Length` must not
        // exhaust memory.
        let expected = stream.expectedLength.map { Int(min($0, Int64(limit), 64 << 20)) }
        var buffer = JSONBuffer(expecting: expected)
        try await stream.collect(upTo: limit) { buffer.append(count: $0.count, copy: $0.copy) }
        self = .json(buffer.bytes())
    }
}
