#if Server
public import Tracing
public import WharfCore

extension Destination {
    /// Returns this destination with a tracing span for each attempt.
    ///
    /// The spans are those of swift-distributed-tracing.
    ///
    /// Give it to the outbox in place of the original.
    ///
    /// ```swift
    /// let outbox = OutboxEngine(store: store, destinations: [api.traced()])
    /// ```
    ///
    /// A span is named `outbox.deliver`. Its attributes are `wharf.destination`, `wharf.kind`,
    /// `wharf.entry` and `wharf.outcome`. The outcome is delivered, retry, rateLimited, offline,
    /// needsAuthentication, conflict or rejected.
    ///
    /// Each outcome except delivered adds `wharf.failure`, `http.response.status_code` if there is
    /// one, and an error status. Spans that the destination itself creates are children of the
    /// span. If the destination takes batches, each entry of a batch has a span, and these are
    /// siblings.
    ///
    /// This is a decorator and does not read ``WharfOutbox/OutboxEvent``. Events come after an
    /// attempt is committed, without its times and without the calling span.
    ///
    /// - Parameter tracer: the tracer; by default the current one of `InstrumentationSystem`.
    public func traced(by tracer: any Tracer = InstrumentationSystem.tracer) -> any Destination {
        // Wrapped as a plain destination, a batch destination would get its entries one by one.
        if let batching = self as? any BatchDestination {
            return TracedBatchDestination(base: batching, tracer: tracer)
        }
        return TracedDestination(base: self, tracer: tracer)
    }
}

private struct TracedDestination: Destination {
    let base: any Destination
    let tracer: any Tracer

    var name: String { base.name }
    var kinds: Set<String> { base.kinds }

    func deliver(_ entry: OutboxEntry) async -> Delivery { await deliver(entry) { await base.deliver(entry) } }

    func deliver(_ entry: OutboxEntry, attempt: Int) async -> Delivery {
        await deliver(entry) { await base.deliver(entry, attempt: attempt) }
    }

    private func deliver(_ entry: OutboxEntry, _ send: () async -> Delivery) async -> Delivery {
        await tracer.withAnySpan(spanName, ofKind: .client) { span in
            span.describe(entry, to: base.name)
            let delivery = await send()
            span.tell(delivery.verdict)
            return delivery
        }
    }

    func rewriting(_ payload: [UInt8], of kind: OutboxEntry.Kind, ids: [String: String]) throws -> [UInt8] {
        try base.rewriting(payload, of: kind, ids: ids)
    }

    func merging(_ conflict: ConflictRecord) async -> [UInt8]? { await base.merging(conflict) }
}

private struct TracedBatchDestination: BatchDestination {
    let base: any BatchDestination
    let tracer: any Tracer

    var name: String { base.name }
    var kinds: Set<String> { base.kinds }
    var limits: BatchLimits { base.limits }

    func deliver(_ batch: [OutboxEntry]) async -> [Delivery] {
        // A batch has a span for each entry, as an attempt is one of an entry.
        let spans = batch.map { entry in
            let span = tracer.startAnySpan(spanName, ofKind: .client)
            span.describe(entry, to: base.name)
            return span
        }
        let deliveries = await base.deliver(batch)
        for (index, span) in spans.enumerated() {
            // A destination may give too few verdicts. Such a span has no outcome.
            if index < deliveries.count { span.tell(deliveries[index].verdict) }
            span.end()
        }
        return deliveries
    }

    func rewriting(_ payload: [UInt8], of kind: OutboxEntry.Kind, ids: [String: String]) throws -> [UInt8] {
        try base.rewriting(payload, of: kind, ids: ids)
    }

    func merging(_ conflict: ConflictRecord) async -> [UInt8]? { await base.merging(conflict) }
}

private let spanName = "outbox.deliver"

extension Span {
    fileprivate func describe(_ entry: OutboxEntry, to destination: String) {
        updateAttributes { attributes in
            attributes.set("wharf.destination", value: .string(destination))
            attributes.set("wharf.kind", value: .string(entry.kind.name))
            attributes.set("wharf.entry", value: .string(entry.id.text))
        }
    }

    fileprivate func tell(_ verdict: Delivery.Verdict) {
        let failure = verdict.failure
        updateAttributes { attributes in
            attributes.set("wharf.outcome", value: .string(verdict.outcome))
            guard let failure else { return }
            attributes.set("wharf.failure", value: .string(failure.code.name))
            if let status = failure.status { attributes.set("http.response.status_code", value: .int64(Int64(status))) }
        }
        // The status has no message, which may quote the receiver's answer.
        if let failure { setStatus(SpanStatus(code: .error, message: failure.code.name)) }
    }
}

extension Delivery.Verdict {
    fileprivate var outcome: String {
        switch self {
        case .delivered: "delivered"
        case .retry: "retry"
        case .rateLimited: "rateLimited"
        case .offline: "offline"
        case .needsAuthentication: "needsAuthentication"
        case .conflict: "conflict"
        case .rejected: "rejected"
        }
    }
}
#endif
