public import WharfCore

/// A destination that sends an outbox's HTTP requests with their idempotency keys.
///
/// ```swift
/// let api = HTTPDestination("api", client)
/// ```
///
/// The key is sent as `Idempotency-Key`, a string of structured fields
/// (draft-ietf-httpapi-idempotency-key-header-07 §2.1). A receiver that honours the key answers a
/// repeated request as it did the first time, and does nothing else.
/// ``Delivery/Verdict/init(_:excerpt:theirs:now:)`` describes how answers are read.
public struct HTTPDestination: Destination {
    /// A closure that reads an answer's head and the first bytes of its body.
    ///
    /// It returns nil for answers that have their meaning by HTTP.
    public typealias Classification = @Sendable (OutboxEntry, HTTPResponse, [UInt8]) -> Delivery?

    public let name: String
    public let kinds: Set<String> = [OutboxRequest.kind.name]
    private let client: APIClient
    private let clock: any WallClock
    private let classify: Classification

    /// The most bytes that are read of an answer.
    private static let mostRead = 1 << 20

    /// Creates a destination that sends through a client.
    ///
    /// - Parameters:
    ///   - name: the name that entries give as their target.
    ///   - client: the client, with the middleware that adds credentials.
    ///   - clock: the current date, for a `Retry-After` that is a date.
    ///   - classify: reads answers that differ from HTTP's meaning.
    public init(
        _ name: String, _ client: APIClient, clock: any WallClock = .system,
        classify: @escaping Classification = { _, _, _ in nil }
    ) {
        self.name = name
        self.client = client
        self.clock = clock
        self.classify = classify
    }

    public func deliver(_ entry: OutboxEntry) async -> Delivery {
        guard let waiting = OutboxRequest(entry) else {
            return Delivery(
                .rejected(
                    DeliveryFailure(
                        .unreadable,
                        message:
                            "could not read a request of version \(OutboxRequest.kind.version) from "
                            + "\(entry.payload.count) bytes of \(entry.kind.name), version \(entry.kind.version); edit "
                            + "or discard the entry")))
        }
        do {
            var request = Request<Void>(
                waiting.method, .url(client.environment.absolute(waiting.address)), fields: waiting.fields,
                body: waiting.body.isEmpty ? .none : .bytes(waiting.body), decoding: .ignored)
            // The key makes the request safe to repeat.
            request.isIdempotent = true
            if let key = entry.key.field { request.fields[key.name] = key.value }
            var addressed = try client.addressed(request)
            // The entry's account, and not the client's: one process delivers for several accounts.
            addressed.account = entry.account
            addressed.cache = .bypass
            return await send(addressed, entry)
        } catch {
            return Delivery(
                .rejected(
                    DeliveryFailure(
                        .unreadable,
                        message: "\(error.message); edit or discard the entry")))
        }
    }

    private func send(_ request: TransportRequest, _ entry: OutboxEntry) async -> Delivery {
        do {
            let response = try await client.exchange(request)
            let body = await response.body.beginning(upTo: Self.mostRead)
            if let delivery = classify(entry, response.head, body) { return delivery }
            let problem = ProblemDetails.isIn(response.head) ? ProblemDetails(body) : nil
            let excerpt = problem?.description ?? String(decoding: body.prefix(200), as: UTF8.self)
            let now = clock.now()
            return Delivery(
                .init(response.head, excerpt: excerpt, theirs: body.isEmpty ? nil : body, now: now),
                quotaResetsAfter: QuotaFields.resetTime(in: response.head.headerFields, now: now))
        } catch {
            return Delivery(.init(error, now: clock.now()))
        }
    }

    /// Replaces temporary ids in the address, the fields and the body.
    ///
    /// An id is replaced wherever it occurs as a whole word, even in a sentence. So it must be a
    /// word that occurs nowhere else, such as a UUID.
    public func rewriting(_ payload: [UInt8], of kind: OutboxEntry.Kind, ids: [String: String]) -> [UInt8] {
        IDReplacement.replacing(ids, in: payload)
    }
}
