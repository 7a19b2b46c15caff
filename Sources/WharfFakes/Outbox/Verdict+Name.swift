package import WharfCore

extension Delivery.Verdict {
    /// In a word or two, for tables of answers and what they mean: a retry that was asked for after
    /// 20 seconds is `retry 20`.
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
