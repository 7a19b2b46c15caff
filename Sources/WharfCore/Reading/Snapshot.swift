/// One answer to a read: the value that is known, and the error that kept a newer one away, side by side.
///
/// Law: a failed refresh never takes a kept value away. What counts as a failure: ``ReadPolicy``.
public struct Snapshot<Value: Sendable>: Sendable {
    /// A value with where it came from and how old it is.
    public struct Kept: Sendable {
        public let value: Value
        public let source: Source
        /// When the origin server last vouched for it.
        public let asOf: WallTime
        /// When it becomes stale; nil when nobody gave it a lifetime.
        public let staleAt: WallTime?
        /// Status and fields that it came with, where it came over HTTP.
        public let response: HTTPResponse?

        public init(
            value: Value, source: Source, asOf: WallTime, staleAt: WallTime? = nil, response: HTTPResponse? = nil
        ) {
            self.value = value
            self.source = source
            self.asOf = asOf
            self.staleAt = staleAt
            self.response = response
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
}

/// Whether a newer value is being fetched.
public enum FetchStatus: Sendable, Hashable {
    case idle, refreshing
}

extension Snapshot.Kept: Equatable where Value: Equatable {}
extension Snapshot: Equatable where Value: Equatable {}

extension Snapshot {
    /// The value, or why there is none.
    public func get() throws(ReadFailure) -> Value {
        if let kept { return kept.value }
        throw error ?? .nothingKept
    }

    /// The same answer with `transform` done to its value. When that throws, the value is gone and the error is
    /// ``ReadFailure/Code/unmappable``.
    public func map<Other: Sendable>(_ transform: (Value) throws -> Other) -> Snapshot<Other> {
        guard let kept else { return Snapshot<Other>(kept: nil, error: error, fetch: fetch) }
        do {
            let mapped = Snapshot<Other>.Kept(
                value: try transform(kept.value), source: kept.source, asOf: kept.asOf, staleAt: kept.staleAt,
                response: kept.response
            )
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
