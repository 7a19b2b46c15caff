public import WharfCore

/// A request that says everything about itself, so that it can wait in an outbox and be sent by
/// whoever opens that, `wharf outbox drain` too.
///
/// ```swift
/// let request = OutboxRequest(.post, "notes", fields: [.contentType: "application/json"], body: bytes)
/// try await outbox.enqueue(request.entry(outbox.newID(), lane: "notes", to: "api", at: clock.now()))
/// ```
///
/// Its address is an absolute URL, or a path below the destination's base URL. Credentials don't
/// belong in it: they would lie on the disk, and be old when it is sent. The destination's
/// middleware adds those of then.
///
/// Where it depends on an entry whose answer gives an id in the place of a temporary one, that
/// stands for it until then in the address, the fields or the body. It is replaced wherever it
/// stands as a word by itself, so it has to be unique: a UUID, not `1` or `new`.
public struct OutboxRequest: Hashable, Sendable {
    /// The kind of entries that have one.
    public static let kind = OutboxEntry.Kind("http.request")

    public var method: HTTPRequest.Method
    public var address: String
    public var fields: HTTPFields
    public var body: [UInt8]

    public init(_ method: HTTPRequest.Method, _ address: String, fields: HTTPFields = [:], body: [UInt8] = []) {
        self.method = method
        self.address = address
        self.fields = fields
        self.body = body
    }

    public func entry(
        _ id: OutboxEntry.ID, of account: Account? = nil, lane: String, to destinations: String...,
        dependingOn dependencies: Set<OutboxEntry.ID> = [], at now: WallTime
    ) -> OutboxEntry {
        OutboxEntry(
            id: id, account: account, lane: lane, kind: Self.kind, payload: payload,
            targets: destinations.map { .init($0) }, dependencies: dependencies, enqueuedAt: now)
    }
}
