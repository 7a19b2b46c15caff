/// The result of a read: the kept value and the error that prevented a newer one.
///
/// A failed refresh never removes a kept value. ``ReadPolicy`` defines a failure.
public struct Snapshot<Value: Sendable>: Sendable {
    /// A value with its source and its age.
    public struct Kept: Sendable {
        /// The value.
        public let value: Value
        // In a class instance, so that copying a snapshot costs little.
        @usableFromInline let origin: KeptOrigin

        /// Creates a value with its source and age.
        public init(
            value: Value, source: Source, asOf: WallTime, staleAt: WallTime? = nil, response: HTTPResponse? = nil,
            remote: String? = nil
        ) {
            self.init(
                value: value,
                origin: KeptOrigin(
                    source: source, asOf: asOf, staleAt: staleAt, response: response, remote: remote))
        }

        init(value: Value, origin: KeptOrigin) {
            self.value = value
            self.origin = origin
        }

        /// The source of the value.
        public var source: Source { origin.source }
        /// The time at which the origin last sent or revalidated the value.
        public var asOf: WallTime { origin.asOf }
        /// The time at which the value becomes stale; nil if it has no lifetime.
        public var staleAt: WallTime? { origin.staleAt }
        /// The status and fields of its answer, if it came over HTTP.
        public var response: HTTPResponse? { origin.response }
        /// The name of the remote that sent it, if there are several. A store does not keep it.
        ///
        /// See `RemoteSource.first(of:)`.
        public var remote: String? { origin.remote }
        /// Whether the value includes a change that is not confirmed yet.
        ///
        /// See ``WriteMode/optimistic``.
        public var isPending: Bool { origin.isPending }
        /// The identity of the value in its store; nil if it is in no store.
        package var revision: Revision? { origin.revision }

        /// Returns another value with the same origin, except for the given parts.
        ///
        /// The new value is in no store yet, so it has no revision.
        package func with<Other>(
            _ value: Other, source: Source? = nil, staleAt: WallTime?? = nil, remote: String? = nil
        ) -> Snapshot<Other>.Kept {
            Snapshot<Other>.Kept(
                value: value, source: source ?? self.source, asOf: asOf, staleAt: staleAt ?? self.staleAt,
                response: response, remote: remote ?? self.remote)
        }

        /// Returns the same value with another revision.
        package func revised(_ revision: Revision?, source: Source? = nil) -> Self {
            Self(
                value: value,
                origin: KeptOrigin(origin, source: source ?? self.source, revision: revision, isPending: isPending))
        }

        /// Returns the same value, marked as pending or not.
        package func pending(_ isPending: Bool) -> Self {
            // Most values have no pending change, and share their origin.
            guard isPending != self.isPending else { return self }
            return Self(
                value: value,
                origin: KeptOrigin(origin, source: source, revision: revision, isPending: isPending))
        }

        /// Returns the time since the origin sent or revalidated the value; never negative.
        public func age(at now: WallTime) -> Duration { max(.zero, now - asOf) }

        /// Returns whether the value may be used without a request.
        ///
        /// A value without a lifetime is not fresh.
        public func isFresh(at now: WallTime) -> Bool { staleAt.map { now < $0 } ?? false }
    }

    /// The known value; nil if there is none.
    public let kept: Kept?
    /// The reason why there is no newer value; nil if nothing failed.
    public let error: ReadFailure?
    /// Whether a newer value is being fetched.
    public let fetch: FetchStatus

    /// Creates the result of a read.
    public init(kept: Kept?, error: ReadFailure? = nil, fetch: FetchStatus = .idle) {
        self.kept = kept
        self.error = error
        self.fetch = fetch
    }

    /// The last good value, if there was one.
    public var value: Value? { kept?.value }

    /// The age of the value by the system's clock; nil without a value. See ``Kept/age(at:)``.
    public var age: Duration? { kept?.age(at: .now) }
}

/// The origin of a kept value.
@usableFromInline final class KeptOrigin: Sendable {
    let source: Source
    let asOf: WallTime
    let staleAt: WallTime?
    let response: HTTPResponse?
    let remote: String?
    let revision: Revision?
    let isPending: Bool

    init(
        source: Source, asOf: WallTime, staleAt: WallTime?, response: HTTPResponse?, remote: String?
    ) {
        self.source = source
        self.asOf = asOf
        self.staleAt = staleAt
        self.response = response
        self.remote = remote
        revision = nil
        isPending = false
    }

    /// Creates the same origin with another revision and state.
    init(_ origin: KeptOrigin, source: Source, revision: Revision?, isPending: Bool) {
        self.source = source
        asOf = origin.asOf
        staleAt = origin.staleAt
        response = origin.response
        remote = origin.remote
        self.revision = revision
        self.isPending = isPending
    }
}

/// The state of the request for a newer value.
public enum FetchStatus: Sendable, Hashable {
    /// There is no request, or one is running.
    case idle, refreshing
    /// The request waits for a network; see ``Connectivity``.
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
    /// Returns the value, or throws the reason why there is none.
    public func get() throws(ReadFailure) -> Value {
        if let kept { return kept.value }
        throw error ?? .nothingKept
    }

    /// Returns the same result with its value transformed.
    ///
    /// If `transform` throws, the value is dropped and the error is
    /// ``ReadFailure/Code/unmappable``.
    public func map<Other: Sendable>(_ transform: (Value) throws -> Other) -> Snapshot<Other> {
        guard let kept else { return Snapshot<Other>(kept: nil, error: error, fetch: fetch) }
        do {
            // `with` drops the revision: the mapped value is another one than the store has.
            let mapped = kept.with(try transform(kept.value)).pending(kept.isPending)
            return Snapshot<Other>(kept: mapped, error: error, fetch: fetch)
        } catch {
            let failure = ReadFailure(
                .unmappable, message: "the payload could not be mapped to \(Other.self): \(error)",
                cause: error, response: kept.response
            )
            return Snapshot<Other>(kept: nil, error: failure, fetch: fetch)
        }
    }
}

extension ReadFailure {
    package static let nothingKept = ReadFailure(
        .nothingKept,
        message: "nothing is stored, and the policy does not ask the network; read with a policy that asks it"
    )
}
