public import WharfCore

/// A self-contained request that waits in an outbox.
///
/// Any process that opens the outbox can send it, including `wharf outbox drain`.
///
/// ```swift
/// let request = OutboxRequest(.post, "notes", fields: [.contentType: "application/json"], body: bytes)
/// try await outbox.enqueue(request.entry(outbox.newID(), lane: "notes", to: "api", at: clock.now()))
/// ```
///
/// Its address is an absolute URL, or a path below the destination's base URL. Do not put
/// credentials into it: they would be stored on disk, and be outdated when the request is sent. The
/// destination's middleware adds the current ones.
///
/// A request may depend on an entry whose answer assigns an id. Until then a temporary id stands
/// for it in the address, the fields or the body. The id is replaced wherever it occurs as a whole
/// word, so it must be unique: a UUID, not `1` or `new`.
public struct OutboxRequest: Hashable, Sendable {
    /// The kind of the entries that hold such a request.
    public static let kind = OutboxEntry.Kind("http.request")

    /// The HTTP method.
    public var method: HTTPRequest.Method
    /// An absolute URL, or a path below the destination's base URL.
    public var address: String
    /// The header fields, without credentials.
    public var fields: HTTPFields
    /// The body; empty for a request without one.
    public var body: [UInt8]

    /// Creates a request; nothing is sent.
    public init(_ method: HTTPRequest.Method, _ address: String, fields: HTTPFields = [:], body: [UInt8] = []) {
        self.method = method
        self.address = address
        self.fields = fields
        self.body = body
    }

    /// Returns an outbox entry that holds this request.
    ///
    /// - Parameters:
    ///   - lane: entries of one lane reach a destination one at a time, in order.
    ///   - destinations: the names of the destinations to send to.
    ///   - dependencies: entries that must be delivered before this one.
    public func entry(
        _ id: OutboxEntry.ID, of account: Account? = nil, lane: String, to destinations: String...,
        dependingOn dependencies: Set<OutboxEntry.ID> = [], at now: WallTime
    ) -> OutboxEntry {
        var entry = OutboxEntry(
            id: id, lane: lane, kind: Self.kind, payload: payload, targets: destinations.map { .init($0) },
            enqueuedAt: now)
        entry.account = account
        entry.dependencies = dependencies
        return entry
    }
}
