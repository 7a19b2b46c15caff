public import WharfCore

/// The requests and the answers that caches are filled with.
public struct Entries: Sendable, Hashable {
    public let count: Int
    /// Bytes of each body.
    public let length: Int

    public init(count: Int, length: Int) {
        self.count = count
        self.length = length
    }

    public static let small = Entries(count: 10_000, length: 2_048)
    public static let large = Entries(count: 200, length: 204_800)
    public static let million = Entries(count: 1_000_000, length: 2_048)

    /// The URI of one, as it is keyed by.
    public func target(_ index: Int) -> String { "https://api.example.com/v1/articles/\(index)" }

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

    /// Bytes that differ from one entry to the next, and do not compress.
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
