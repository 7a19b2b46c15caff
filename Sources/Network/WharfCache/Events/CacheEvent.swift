public import WharfCore

/// An event of the HTTP cache: the outcome of a request, or a change of the stored responses.
///
/// ```swift
/// let metrics = CacheMetrics()
/// var configuration = CacheConfiguration.privateClient
/// configuration.onEvent = { event in
///     event.log(to: logger)
///     metrics.count(event)
///     event.trace()
/// }
/// ```
///
/// Each call of `send` gives exactly one outcome, before it returns or throws:
///
/// | the request | outcome |
/// |---|---|
/// | got a fresh stored response | ``Kind/hit`` |
/// | got a stale stored response; after a failure any stored response | ``Kind/stale(_:)`` |
/// | went to the origin, whose 304 confirmed the stored response | ``Kind/revalidated`` |
/// | went to the origin, and got its answer | ``Kind/miss`` |
/// | waited for an equal request, and got its stored response | ``Kind/collapsed`` |
/// | can't be answered from the store, such as POST, and got the origin's answer | ``Kind/passedOn`` |
/// | got an error, or 504 because of `only-if-cached` | ``Kind/failed`` |
///
/// Other events of a request are in this order:
///
/// 1. Before the outcome: ``Kind/removed(_:)`` for each target that an unsafe request invalidates,
///    or for one response that the origin's answer ends.
/// 2. Before the outcome, or after it if the reader reads the body from the network:
///    ``Kind/stored`` or ``Kind/notStored(_:)``.
///    - A miss has exactly one of them.
///    - `revalidated` has `notStored` if the new head could not be written, and otherwise none.
///    - `passedOn` has one of them if the answer to POST may answer a later GET (RFC 9110 §9.3.3),
///      and otherwise none.
///    - All other outcomes have none.
/// 3. For a response that is revalidated in the background (RFC 5861 §3), the events of 1 and 2,
///    and at last ``Kind/revalidatedInBackground(_:)``. They come from a task of its own, perhaps
///    before the outcome of the request. A key has at most one such task at a time.
///
/// A store gives ``Kind/evicted(_:)`` at any time.
///
/// An event has neither a query, user info, a header field, an account nor the message of an error.
/// So it can be logged as it is.
public struct CacheEvent: Sendable, Hashable {
    /// The kind of event.
    public enum Kind: Sendable, Hashable {
        /// Outcome: a fresh stored response was returned.
        case hit
        /// Outcome: a stored response was returned although it is stale, or because the origin
        /// failed.
        case stale(StaleReason)
        /// Outcome: the origin's answer was returned.
        case miss
        /// Outcome: a stored response was returned, which the origin confirmed by 304.
        case revalidated
        /// Outcome: the stored response of an equal request was returned (RFC 9211 §2.6).
        case collapsed
        /// Outcome: the origin's answer was returned, and no stored response could be one.
        case passedOn
        /// Outcome: the request has failed. ``CacheEvent/failure`` has the code.
        ///
        /// `only-if-cached` without a usable response has the status 504 and the code
        /// ``/WharfCore/TransportError/Code/nothingKept``.
        case failed
        /// A response was stored; with the status 206 only a part of it.
        case stored
        /// The answer to a miss was not stored, or the new head of a confirmed response was not.
        case notStored(NotStoredReason)
        /// Stored responses were removed, if there were any.
        case removed(RemovalReason)
        /// A revalidation in the background has ended.
        case revalidatedInBackground(RevalidationResult)
        /// The store has removed a response by itself.
        case evicted(EvictionReason)
    }

    /// The permission to return a stored response without a confirmation.
    public enum StaleReason: String, Sendable, Hashable, CaseIterable {
        /// The request permits it: `max-stale`, or the mode `storedOnly`.
        case permitted
        /// `stale-while-revalidate` permits it (RFC 5861 §3).
        case whileRevalidating
        /// The origin failed, and this response takes the place of its answer.
        ///
        /// It may be fresh, if the request asked for a revalidation.
        case failure
    }

    /// The reason why an answer was not stored.
    public enum NotStoredReason: String, Sendable, Hashable, CaseIterable {
        /// An answer to HEAD has no body.
        case head
        /// Responses with this status are not stored.
        case status
        /// The bytes or the version of the part (206) are unknown, or a complete response of
        /// another version is stored (RFC 9111 §3.3, §3.4).
        case part
        /// The stored response has all bytes of this part (206), and only got its fields.
        case redundant
        /// The origin failed: 500, 502, 503 or 504.
        case serverFailure
        /// The request says `no-store`.
        case requestNoStore
        /// The answer says `no-store`.
        case noStore
        /// The answer says `private`, and the cache is shared.
        case privateAnswer = "private"
        /// The request has `Authorization`, and the answer does not permit sharing (RFC 9111 §3.5).
        case authorization
        /// The answer says `must-understand`, and the cache does not understand its status.
        case notUnderstood
        /// `Vary: *` matches no other request.
        case varyAny
        /// `Vary` names a credential of the request, which has no account.
        case varyCredentials
        /// The answer has no lifetime, neither an explicit nor a heuristic one.
        case noLifetime
        /// The body broke off, or ended at another length than announced, and its bytes are not
        /// stored as a part.
        case incomplete
        /// The reader left before the end of the body, and its bytes are not stored as a part.
        case abandoned
        /// Its target was invalidated meanwhile, or a later answer was stored.
        case outdated
        /// The response is larger than the store accepts.
        case tooLarge
        /// The store has failed. The incident has the error.
        case storeFailed
    }

    /// The reason why stored responses were removed.
    public enum RemovalReason: String, Sendable, Hashable, CaseIterable {
        /// An unsafe request to the target has succeeded (RFC 9111 §4.4).
        case invalidated
        /// The origin's answer ends the stored response and was not stored: 404 or 410, or another
        /// version than that of a stored part (206).
        case superseded
        /// The fields of a 304 forbid storing the response that it confirms.
        case unstorable
        /// The decoder of its content coding rejected its bytes.
        case invalid
    }

    /// The reason why the store removed a response by itself.
    public enum EvictionReason: String, Sendable, Hashable, CaseIterable {
        /// The stored responses exceeded the store's byte limit.
        case byteLimit
        /// The disk had no room for a newer response.
        case fullDisk
    }

    /// The end of a revalidation in the background.
    public enum RevalidationResult: String, Sendable, Hashable, CaseIterable {
        /// The origin confirmed the response by 304.
        case confirmed
        /// The origin sent another answer.
        case answered
        /// The origin failed. ``CacheEvent/failure`` has the code.
        case failed
    }

    /// The kind of event.
    public var kind: Kind
    /// The URL, without user info, query and fragment.
    ///
    /// For an eviction below an encrypting store it is the sealed name.
    public var target: String
    /// The method of the request; for changes of stored responses that of the response: GET.
    public var method: String
    /// The reason why the request went forward to the origin (RFC 9211 §2.2).
    ///
    /// nil if it did not, and if the request failed.
    public var forward: CacheStatus.Forward?
    /// The status of the answer or of the stored response; nil if there is none or it is unknown.
    public var status: Int?
    /// The status of the origin's answer, if the request went forward and got one.
    public var forwardStatus: Int?
    /// The age of the answer that was returned (RFC 9111 §4.2.3); nil if it has none.
    public var age: Duration?
    /// The length in bytes of the body; nil if it is unknown.
    ///
    /// It is the announced length of an answer that was returned, and the length of a response that
    /// was stored or evicted.
    public var byteCount: Int64?
    /// The code of the failure.
    ///
    /// It belongs to the kind `failed`, to `stale` and `revalidatedInBackground` with a failure,
    /// and to an incomplete body. It belongs to `stored` if the bytes of such a body are a part.
    ///
    /// The error itself is thrown to the caller, or is in the provenance of the answer: its message
    /// may quote the request.
    public var failure: TransportError.Code?

    /// Creates an event without an age, and of no request to the origin.
    public init(
        _ kind: Kind, target: String, method: String = "GET", status: Int? = nil, byteCount: Int64? = nil,
        failure: TransportError.Code? = nil
    ) {
        self.kind = kind
        self.target = target
        self.method = method
        self.status = status
        self.byteCount = byteCount
        self.failure = failure
    }

    /// Returns the event with the facts of the request to the origin, and with an age.
    package func adding(
        forward: CacheStatus.Forward? = nil, forwardStatus: Int? = nil, age: Duration? = nil
    ) -> CacheEvent {
        var event = self
        event.forward = forward
        event.forwardStatus = forwardStatus
        event.age = age
        return event
    }
}

/// Receives the events of a cache.
///
/// It is called synchronously on the task that caused the event, so the current span and other
/// task-local values are those of the request. A revalidation in the background has a task of its
/// own, with the task-local values of the request that started it. The request waits for the call,
/// so it must return quickly. Calls may overlap.
///
/// A reader that abandons a body causes an event too. It is given where the body is released, so
/// the handler must not take a lock that may be held there. If its bytes are stored as a part, the
/// event comes later, from a task of its own.
public typealias CacheEventHandler = @Sendable (CacheEvent) -> Void
