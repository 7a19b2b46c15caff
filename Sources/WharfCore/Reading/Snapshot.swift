/// One answer to a read: the value that is known, and the error that kept a newer one away, side by
/// side.
///
/// Law: a failed refresh never takes a kept value away. What counts as a failure: ``ReadPolicy``.
public struct Snapshot<Value: Sendable>: Sendable {
    /// A value with where it came from and how old it is.
    public struct Kept: Sendable {
        public let value: Value
        // In a box, so that handing a snapshot on costs little.
        @usableFromInline let origin: KeptOrigin

        public init(
            value: Value, source: Source, asOf: WallTime, staleAt: WallTime? = nil, response: HTTPResponse? = nil,
            remote: String? = nil
        ) {
            self.init(
                value: value,
                origin: KeptOrigin(
                    source: source, asOf: asOf, staleAt: staleAt, response: response, remote: remote, revision: nil))
        }

        init(value: Value, origin: KeptOrigin) {
            self.value = value
            self.origin = origin
        }

        public var source: Source { origin.source }
        /// When the origin server last vouched for it.
        public var asOf: WallTime { origin.asOf }
        /// When it becomes stale; nil when nobody gave it a lifetime.
        public var staleAt: WallTime? { origin.staleAt }
        /// Status and fields that it came with, where it came over HTTP.
        public var response: HTTPResponse? { origin.response }
        /// Which remote said it, where several serve; see `RemoteSource.first(of:)`. A store does
        /// not keep it.
        public var remote: String? { origin.remote }
        /// It shows a change that is on its way to the service; see ``WriteMode/optimistic``.
        public var isPending: Bool { origin.isPending }
        /// Which of the values that a store has had it is; nil for a value that is in no store.
        package var revision: Revision? { origin.revision }

        /// The same provenance, or what is given of it, with another value, which is in no store
        /// yet.
        package func with<Other>(
            _ value: Other, source: Source? = nil, staleAt: WallTime?? = nil, remote: String? = nil
        ) -> Snapshot<Other>.Kept {
            Snapshot<Other>.Kept(
                value: value, source: source ?? self.source, asOf: asOf, staleAt: staleAt ?? self.staleAt,
                response: response, remote: remote ?? self.remote)
        }

        /// The same value with another revision.
        package func revised(_ revision: Revision?, source: Source? = nil) -> Self {
            Self(
                value: value,
                origin: KeptOrigin(
                    source: source ?? self.source, asOf: asOf, staleAt: staleAt, response: response, remote: remote,
                    revision: revision, isPending: isPending))
        }

        /// The same value, which shows a change on its way.
        package func pending(_ isPending: Bool) -> Self {
            guard isPending != self.isPending else { return self }
            return Self(
                value: value,
                origin: KeptOrigin(
                    source: source, asOf: asOf, staleAt: staleAt, response: response, remote: remote,
                    revision: revision, isPending: isPending))
        }

        /// How long ago the origin vouched for it; never negative.
        public func age(at now: WallTime) -> Duration { max(.zero, now - asOf) }

        /// Whether it may still be used without asking. A value without a lifetime is not fresh.
        public func isFresh(at now: WallTime) -> Bool { staleAt.map { now < $0 } ?? false }
    }

    public let kept: Kept?
    public let error: ReadFailure?
    public let fetch: FetchStatus

    public init(kept: Kept?, error: ReadFailure? = nil, fetch: FetchStatus = .idle) {
        self.kept = kept
        self.error = error
        self.fetch = fetch
    }

    /// The last good value, if there ever was one.
    public var value: Value? { kept?.value }

    /// The age of the value by the system's clock; nil without a value. See ``Kept/age(at:)``.
    public var age: Duration? { kept?.age(at: .now) }
}

/// Where a kept value came from.
@usableFromInline final class KeptOrigin: Sendable {
    let source: Source
    let asOf: WallTime
    let staleAt: WallTime?
    let response: HTTPResponse?
    let remote: String?
    let revision: Revision?
    let isPending: Bool

    init(
        source: Source, asOf: WallTime, staleAt: WallTime?, response: HTTPResponse?, remote: String?,
        revision: Revision?, isPending: Bool = false
    ) {
        self.source = source
        self.asOf = asOf
        self.staleAt = staleAt
        self.response = response
        self.remote = remote
        self.revision = revision
        self.isPending = isPending
    }
}

/// Whether a newer value is being fetched.
public enum FetchStatus: Sendable, Hashable {
    case idle, refreshing
    /// As soon as there is a network: see ``Connectivity``.
    case paused
}

extension Snapshot.Kept: Equatable where Value: Equatable {
    public static func == (a: Self, b: Self) -> Bool {
        a.value == b.value && a.source == b.source && a.asOf == b.asOf && a.staleAt == b.staleAt
            && a.response == b.response && a.remote == b.remote && a.isPending == b.isPending
    }
}
extension Snapshot: Equatable where Value: Equatable {}

extension Snapshot {
    /// The value, or why there is none.
    public func get() throws(ReadFailure) -> Value {
        if let kept { return kept.value }
        throw error ?? .nothingKept
    }

    /// The same answer with `transform` done to its value. When that throws, the value is gone and
    /// the error is ``ReadFailure/Code/unmappable``.
    public func map<Other: Sendable>(_ transform: (Value) throws -> Other) -> Snapshot<Other> {
        guard let kept else { return Snapshot<Other>(kept: nil, error: error, fetch: fetch) }
        do {
            let mapped = kept.with(try transform(kept.value)).pending(kept.isPending)
            return Snapshot<Other>(kept: mapped, error: error, fetch: fetch)
        } catch {
            let failure = ReadFailure(
                .unmappable, message: "expected a payload that maps to \(Other.self), but the mapping threw: \(error)",
                cause: error, response: kept.response
            )
            return Snapshot<Other>(kept: nil, error: failure, fetch: fetch)
        }
    }
}

extension ReadFailure {
    package static let nothingKept = ReadFailure(
        .nothingKept, message: "nothing is kept, and the policy does not ask the network"
    )
}
