#if Server
internal import CoreMetrics
internal import Synchronization
internal import WharfCore

/// The series of one prefix in swift-metrics.
///
/// Each series has one handler, made once: a factory may count two handlers of one series
/// separately. Values are passed on outside of the lock, as the backend may block.
final class MetricSeries: Sendable {
    typealias Dimensions = [(String, String)]

    private struct Series: Hashable {
        var name: String
        var dimensions: [String]
    }

    private struct State {
        var counters: [Series: Counter] = [:]
        var gauges: [Series: Gauge] = [:]
        var recorders: [Series: Recorder] = [:]
        var timers: [Series: CoreMetrics.Timer] = [:]
    }

    private let label: String
    private let factory: any MetricsFactory
    private let state = Mutex(State())

    init(label: String, factory: any MetricsFactory) {
        self.label = label
        self.factory = factory
    }

    func add(_ name: String, _ dimensions: Dimensions, by count: Int = 1) {
        handler(\.counters, name, dimensions) { Counter(label: $0, dimensions: dimensions, factory: factory) }
            .increment(by: count)
    }

    func record(_ name: String, _ dimensions: Dimensions, _ value: Int64) {
        handler(\.recorders, name, dimensions) {
            Recorder(label: $0, dimensions: dimensions, aggregate: true, factory: factory)
        }.record(value)
    }

    func time(_ name: String, _ dimensions: Dimensions, _ duration: Duration) {
        handler(\.timers, name, dimensions) { CoreMetrics.Timer(label: $0, dimensions: dimensions, factory: factory) }
            .recordNanoseconds(duration.saturatedNanoseconds)
    }

    /// Sets all gauges of a name.
    ///
    /// A known gauge without a value gets 0. Without that, a route that has emptied would keep its
    /// last count.
    func set(_ name: String, _ values: [(dimensions: Dimensions, value: Double)]) {
        let gauges = state.withLock { state in
            var found = state.gauges.filter { $0.key.name == name }.mapValues { ($0, 0.0) }
            for (dimensions, value) in values {
                let series = Series(name: name, dimensions: dimensions.map(\.1))
                let gauge =
                    state.gauges[series]
                    ?? Gauge(label: "\(label).\(name)", dimensions: dimensions, factory: factory)
                state.gauges[series] = gauge
                found[series] = (gauge, value)
            }
            return found.values
        }
        for (gauge, value) in gauges { gauge.record(value) }
    }

    private func handler<Handler: Sendable>(
        _ handlers: WritableKeyPath<State, [Series: Handler]>, _ name: String, _ dimensions: Dimensions,
        make: (String) -> Handler
    ) -> Handler {
        let series = Series(name: name, dimensions: dimensions.map(\.1))
        return state.withLock { state in
            if let handler = state[keyPath: handlers][series] { return handler }
            let handler = make("\(label).\(name)")
            state[keyPath: handlers][series] = handler
            return handler
        }
    }
}
#endif
