import Wharf
import WharfStorage

/// The result of one `wharf outbox drain`, with the deliveries left.
struct DrainResult {
    var delivered = 0
    /// The number of failed attempts that will be retried, including refused ones.
    var failed = 0
    var refused = 0
    var setAside = 0
    /// Whether all due deliveries were attempted.
    var isComplete = true
    /// The number of deliveries left that only the app can send.
    var needApp = 0
    private(set) var pending = 0
    private(set) var dead = 0
    var paused: [ShownPause] = []

    mutating func add(_ report: DrainReport) {
        delivered += report.delivered
        failed += report.failed
        setAside += report.setAside
        isComplete = isComplete && report.isComplete
    }

    /// Counts the deliveries left of an account, to one destination or all.
    mutating func add(_ counts: OutboxCounts, _ filter: DeliveryFilter) {
        for (route, count) in counts.pending where filter.takes(destination: route.destination) {
            pending += count
            if route.kind != OutboxRequest.kind.name { needApp += count }
        }
        dead += counts.dead.filter { filter.takes(destination: $0.key.destination) }.values.reduce(0, +)
    }

    var status: ProcessStatus {
        guard pending + dead > 0 else { return .delivered }
        if refused > 0 { return .errorStatus }
        return failed > 0 ? .noAnswer : .left
    }

    var text: String {
        var done = ["\(delivered) delivered"]
        let others = failed - (refused - setAside)
        if others > 0 { done.append("\(Plain.attempts(others)) failed") }
        if refused > 0 { done.append("\(refused) refused") }
        if setAside > 0 { done.append("\(setAside) set aside") }
        if !isComplete { done.append("not all due deliveries were attempted") }
        guard pending + dead > 0 else { return done.joined(separator: ", ") + "; nothing is left" }
        var left = ["\(pending) wait"]
        if needApp > 0 { left.append("of which \(needApp) \(needApp == 1 ? "needs" : "need") the app") }
        if dead > 0 { left.append("\(dead) dead") }
        return done.joined(separator: ", ") + "; left: " + left.joined(separator: ", ")
    }

    var json: JSONObject {
        var object = JSONObject()
        object.add("delivered", delivered)
        object.add("failed", failed)
        object.add("refused", refused)
        object.add("setAside", setAside)
        object.add("complete", isComplete)
        object.add("pending", pending)
        object.add("needApp", needApp)
        object.add("dead", dead)
        object.add("paused", paused.map(\.json))
        return object
    }
}
