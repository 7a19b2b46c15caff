/// The way in which a read uses kept values. The default is ``standard``.
///
/// In this table, a failure is a transport failure, a status of 500, 502, 503 or 504, or an
/// unusable answer. An unusable answer is too large, undecodable or unmappable. Any other error
/// status is an answer. A kept value never masks an answer.
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
    /// The name, as the command line writes it.
    public let name: String

    private init(_ name: String) { self.name = name }

    /// Uses a fresh kept value, and revalidates a stale one. The default.
    public static let standard = ReadPolicy("standard")
    /// Uses any kept value, and asks the network only if there is none.
    public static let cacheFirst = ReadPolicy("cache-first")
    /// Shows a kept value first and the answer of the network after it. For `observe`.
    ///
    /// A single read returns the last of the two, as ``networkFirst`` does.
    public static let cacheThenNetwork = ReadPolicy("cache-then-network")
    /// Uses kept values only.
    public static let cacheOnly = ReadPolicy("cache-only")
    /// Asks the network, and uses a kept value if it fails.
    public static let networkFirst = ReadPolicy("network-first")
    /// Asks the network, and uses no kept value.
    public static let networkOnly = ReadPolicy("network-only")

    /// All policies.
    public static let all: [ReadPolicy] = [
        .standard, .cacheFirst, .cacheThenNetwork, .cacheOnly, .networkFirst, .networkOnly,
    ]

    /// Creates the policy with this name; nil if none has it.
    ///
    /// The command line writes policies by these names.
    public init?(name: String) {
        guard let policy = Self.all.first(where: { $0.name == name }) else { return nil }
        self = policy
    }

    /// Whether the cache is asked on its own before the network.
    package var looksFirst: Bool { self == .cacheFirst || self == .cacheOnly || self == .cacheThenNetwork }

    /// The cache mode of a network request; nil if the policy makes none.
    package var networkMode: CacheMode? {
        switch self {
        case .cacheOnly: nil
        case .cacheThenNetwork, .networkFirst: .reload
        case .networkOnly: .bypass
        default: .normal
        }
    }

    /// Whether a kept value is used if the network fails.
    package var fallsBack: Bool { self != .networkOnly }
}
