#if Observability
public import Tracing
public import WharfCore

extension Destination {
    /// The same destination with a span of swift-distributed-tracing for each attempt. Give it to
    /// the outbox in the place of this one.
    ///
    /// ```swift
    /// let outbox = OutboxEngine(store: store, destinations: [api.traced()])
    /// ```
    ///
    /// A span is called `outbox.deliver` and has the attributes `wharf.destination`, `wharf.kind`,
    /// `wharf.entry` and `wharf.outcome`: delivered, retry, offline, needsAuthentication, conflict
    /// or rejected. All but the first have `wharf.failure`, `http.response.status_code` where there
    /// is one, and the status of an error. What the destination does is within the span; of one
    /// that takes batches each entry has a span, beside each other.
    ///
    /// It is a decorator and no reader of ``WharfOutbox/OutboxEvent``: those come when an attempt
    /// is over and committed, and know neither its time nor what called what.
    ///
    /// - Parameter tracer: by default the one that `InstrumentationSystem` was told at this moment.
    public func traced(by tracer: any Tracer = InstrumentationSystem.tracer) -> any Destination {
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
        let spans = batch.map { entry in
            let span = tracer.startAnySpan(spanName, ofKind: .client)
            span.describe(entry, to: base.name)
            return span
        }
        let deliveries = await base.deliver(batch)
        for (index, span) in spans.enumerated() {
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
        // Not the message, which may quote what the receiver has answered.
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
