package import WharfCore

extension Delivery.Verdict {
    /// A short name for tables of answers: `retry 20` for a pause of 20 seconds.
    package var name: String {
        switch self {
        case .delivered: "delivered"
        case .retry(_, let after): after.map { "retry \($0.components.seconds)" } ?? "retry"
        case .rateLimited(_, let after): after.map { "rate limited \($0.components.seconds)" } ?? "rate limited"
        case .offline: "offline"
        case .needsAuthentication: "needs authentication"
        case .conflict: "conflict"
        case .rejected: "rejected"
        }
    }
}
