/// What a read does by what is kept. The default is ``standard``.
///
/// "Failure" is a transport failure, status 500, 502, 503 or 504, or an answer that is too large,
/// undecodable or unmappable. Any other error status is an answer, which nothing kept may mask.
///
/// | policy | kept, fresh | kept, stale | nothing kept |
/// |---|---|---|---|
/// | ``standard`` | kept, no network | conditional request; on failure kept and the error | network; on failure the error |
/// | ``cacheFirst`` | kept, no network | kept, no network | network |
/// | ``cacheThenNetwork`` | kept at once, then network; on failure kept and the error | the same | network |
/// | ``networkFirst`` | conditional request; on failure kept and the error | the same | network |
/// | ``cacheOnly`` | kept | kept | the error `nothingKept` |
/// | ``networkOnly`` | network; on failure the error | the same | the same |
public struct ReadPolicy: Hashable, Sendable {
    public let name: String

    private init(_ name: String) { self.name = name }

    public static let standard = ReadPolicy("standard")
    public static let cacheFirst = ReadPolicy("cache-first")
    /// For `observe`, which gives both answers. A single read gives the last one, as
    /// ``networkFirst`` does.
    public static let cacheThenNetwork = ReadPolicy("cache-then-network")
    public static let cacheOnly = ReadPolicy("cache-only")
    public static let networkFirst = ReadPolicy("network-first")
    public static let networkOnly = ReadPolicy("network-only")

    public static let all: [ReadPolicy] = [
        .standard, .cacheFirst, .cacheThenNetwork, .cacheOnly, .networkFirst, .networkOnly,
    ]

    /// The policy of that name, as the command line writes it.
    public init?(name: String) {
        guard let policy = Self.all.first(where: { $0.name == name }) else { return nil }
        self = policy
    }

    /// The cache is asked by itself before the network is thought of.
    package var looksFirst: Bool { self == .cacheFirst || self == .cacheOnly || self == .cacheThenNetwork }

    /// How the network is asked; nil when it is not.
    package var networkMode: CacheMode? {
        switch self {
        case .cacheOnly: nil
        case .cacheThenNetwork, .networkFirst: .reload
        case .networkOnly: .bypass
        default: .normal
        }
    }

    /// A kept value stands in when the network fails.
    package var fallsBack: Bool { self != .networkOnly }
}
