public import WharfCore

/// The requests and answers with which caches are filled.
public struct Entries: Sendable, Hashable {
    /// The number of entries.
    public let count: Int
    /// The length of each body in bytes.
    public let length: Int

    /// Creates a description of entries; it fills no store.
    public init(count: Int, length: Int) {
        self.count = count
        self.length = length
    }

    /// 10,000 entries of 2 KB.
    public static let small = Entries(count: 10_000, length: 2_048)
    /// 200 entries of 200 KB.
    public static let large = Entries(count: 200, length: 204_800)
    /// 64 entries of 1 MiB, each with a body file.
    public static let files = Entries(count: 64, length: 1 << 20)
    /// A million entries of 2 KB.
    public static let million = Entries(count: 1_000_000, length: 2_048)

    /// Returns the URI of an entry, which is its cache key.
    public func target(_ index: Int) -> String { "https://api.example.com/v1/articles/\(index)" }

    /// Returns the request for an entry.
    public func request(_ index: Int) -> TransportRequest {
        TransportRequest(
            HTTPRequest(
                method: .get, scheme: "https", authority: "api.example.com", path: "/v1/articles/\(index)",
                headerFields: [
                    .accept: "application/json", .acceptEncoding: "gzip", .userAgent: "Example/1.0",
                ]
            )
        )
    }

    /// Returns the head of the answer of a JSON service, which is fresh for ten days.
    public func head(_ index: Int) -> HTTPResponse {
        HTTPResponse(
            status: .ok,
            headerFields: [
                .contentType: "application/json; charset=utf-8", .contentLength: "\(length)",
                .cacheControl: "public, max-age=864000", .eTag: "\"9f3-\(index)\"", .vary: "Accept-Encoding",
                .server: "example/1.0", .lastModified: "Sat, 01 Nov 2025 08:00:00 GMT",
            ]
        )
    }

    /// Returns a body that differs between entries and does not compress.
    public func body(_ index: Int) -> [UInt8] {
        var state = UInt64(truncatingIfNeeded: index) &+ 0x9E37_79B9_7F4A_7C15
        return [UInt8](unsafeUninitializedCapacity: length) { bytes, count in
            for offset in 0..<length {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[offset] = UInt8(truncatingIfNeeded: state >> 56)
            }
            count = length
        }
    }
}
