internal import CContentCoding
internal import WharfCore

/// A content coding that can be decoded (RFC 9110 §8.4.1).
enum ContentCoding: Sendable, Hashable, CaseIterable {
    case gzip
    case deflate
    case brotli
    case zstd

    /// Returns a message's codings in the order in which the sender applied them. Returns nil if
    /// one of them is unknown.
    ///
    /// A body with an unknown coding is delivered encoded, so decoding the others is no use.
    static func all(in fields: HTTPFields) -> [ContentCoding]? {
        var codings: [ContentCoding] = []
        for name in fields[values: .contentEncoding].flatMap({ $0.split(separator: ",") }) {
            let name = name.filter { $0 != " " && $0 != "\t" }.lowercased()
            // RFC 9110 §8.4: "identity" should not be here, and undoes nothing.
            if name.isEmpty || name == "identity" { continue }
            guard let coding = ContentCoding(name: name), coding.isAvailable else { return nil }
            codings.append(coding)
        }
        return codings
    }

    /// The value of `Accept-Encoding`. It has brotli and zstd only if this system has their
    /// libraries.
    static let accepted = allCases.filter(\.isAvailable).map(\.name).joined(separator: ", ")

    private init?(name: String) {
        switch name {
        // RFC 9110 §8.4.1.3: both names mean the same coding.
        case "gzip", "x-gzip": self = .gzip
        // Servers send both zlib and raw deflate under this name.
        case "deflate": self = .deflate
        case "br": self = .brotli
        case "zstd": self = .zstd
        default: return nil
        }
    }

    var name: String {
        switch self {
        case .gzip: "gzip"
        case .deflate: "deflate"
        case .brotli: "br"
        case .zstd: "zstd"
        }
    }

    var isAvailable: Bool { wharf_coding_is_available(raw) }

    var raw: wharf_coding {
        switch self {
        case .gzip: WHARF_CODING_GZIP
        case .deflate: WHARF_CODING_DEFLATE
        case .brotli: WHARF_CODING_BROTLI
        case .zstd: WHARF_CODING_ZSTD
        }
    }
}
