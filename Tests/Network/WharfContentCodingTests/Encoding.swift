import ContentEncoders
import Testing
import WharfCore

/// A way to encode bodies, with its name in `Content-Encoding`.
enum Encoding: String, CaseIterable, Sendable {
    case gzip
    case zlib
    case rawDeflate
    case brotli
    case zstd

    /// The encodings for which this system has an encoder. Tests over all encodings report the
    /// others.
    static let available = allCases.filter { !$0.encode([1]).isEmpty }

    var name: String {
        switch self {
        case .gzip: "gzip"
        case .zlib, .rawDeflate: "deflate"
        case .brotli: "br"
        case .zstd: "zstd"
        }
    }

    func encode(_ bytes: [UInt8]) -> [UInt8] {
        let capacity = bytes.count * 2 + 1024
        return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            count = content_encode(raw, bytes, bytes.count, output.baseAddress, capacity)
        }
    }

    private var raw: content_encoder {
        switch self {
        case .gzip: CONTENT_ENCODER_GZIP
        case .zlib: CONTENT_ENCODER_ZLIB
        case .rawDeflate: CONTENT_ENCODER_RAW_DEFLATE
        case .brotli: CONTENT_ENCODER_BROTLI
        case .zstd: CONTENT_ENCODER_ZSTD
        }
    }
}

/// A transport that returns one response, and records the request.
final class FixedTransport: Transport {
    let head: HTTPResponse
    let chunks: [[UInt8]]
    let expectedLength: Int64?
    let trailers: HTTPFields?
    private let seen = Locked<TransportRequest?>(nil)

    init(
        _ fields: HTTPFields, _ status: HTTPResponse.Status = .ok, chunks: [[UInt8]], expectedLength: Int64? = nil,
        trailers: HTTPFields? = nil
    ) {
        head = HTTPResponse(status: status, headerFields: fields)
        self.chunks = chunks
        self.expectedLength = expectedLength
        self.trailers = trailers
    }

    var request: TransportRequest? { seen.value }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        seen.value = request
        return TransportResponse(
            head: head, body: BodyStream(Chunks(chunks, trailers: trailers), expectedLength: expectedLength),
            provenance: Provenance(source: .network, asOf: WallTime(secondsSince1970: 0)))
    }
}
