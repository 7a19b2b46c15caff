#if Server
public import Tracing
public import WharfCache
internal import WharfCore

extension CacheEvent {
    /// Adds the event to the current span of swift-distributed-tracing.
    ///
    /// The cache calls its handler on the task of the request, so the current span is that of the
    /// request's caller:
    ///
    /// ```swift
    /// var configuration = CacheConfiguration.privateClient
    /// configuration.onEvent = { $0.trace() }
    /// ```
    ///
    /// It does nothing without a current span, and after the end of the span. A tracer may lack
    /// `activeSpan(identifiedBy:)`, which finds the span by its context. With such a tracer pass
    /// the span yourself to ``record(on:)``.
    ///
    /// - Parameter tracer: the tracer; by default the current one of `InstrumentationSystem`.
    public func trace(by tracer: any Tracer = InstrumentationSystem.tracer) {
        guard let context = ServiceContext.current, let span = tracer.activeSpan(identifiedBy: context) else { return }
        record(on: span)
    }

    /// Adds the event to a span.
    ///
    /// The span event is named `http.cache.` and the name of the kind, such as `http.cache.miss`.
    /// It is an event and no attribute of the span, because one span may have several requests.
    ///
    /// | attribute of the event | |
    /// |---|---|
    /// | `http.cache.target` | the URL without user info and query |
    /// | `http.cache.method` | the method |
    /// | `http.cache.reason` | the reason of the event |
    /// | `http.cache.forward` | why the request went forward, as in `Cache-Status` |
    /// | `http.cache.status` | the status of the answer |
    /// | `http.cache.forward_status` | the status of the origin's answer |
    /// | `http.cache.age` | the age of the answer in seconds |
    /// | `http.cache.bytes` | the length of the body |
    /// | `http.cache.error` | the code of the failure |
    ///
    /// An attribute without a value is left out.
    public func record(on span: any Span) {
        guard span.isRecording else { return }
        var attributes = SpanAttributes()
        attributes.set("http.cache.target", value: .string(target))
        attributes.set("http.cache.method", value: .string(method))
        attributes.set("http.cache.reason", value: reason.map { .string($0) })
        attributes.set("http.cache.forward", value: forward.map { .string($0.rawValue) })
        attributes.set("http.cache.status", value: status.map { .int64(Int64($0)) })
        attributes.set("http.cache.forward_status", value: forwardStatus.map { .int64(Int64($0)) })
        attributes.set("http.cache.age", value: age.map { .int64($0.components.seconds) })
        attributes.set("http.cache.bytes", value: byteCount.map { .int64($0) })
        attributes.set("http.cache.error", value: failure.map { .string($0.name) })
        span.addEvent(SpanEvent(name: "http.cache.\(kind.name)", attributes: attributes))
    }
}
#endif
