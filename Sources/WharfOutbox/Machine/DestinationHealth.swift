internal import WharfCore

/// The state of a destination, as an answer tells it.
enum DestinationHealth: Hashable {
    /// The receiver has decided about the entry: delivered, refused, a conflict.
    case working
    /// It can't now: 5xx, or no answer.
    ///
    /// - Parameter after: how long it wants no request (`Retry-After`).
    case failing(after: Duration?)
    /// It wants fewer requests: 429, or a quota that is used up.
    case limited(after: Duration?)
    /// The destination holds back by itself, so that its receiver gets no more than it takes.
    case throttled(after: Duration)
    /// It does not take the credential.
    case unauthenticated
    case offline
    /// The destination gave the answer by itself, before it sent anything.
    case unknown
}

extension Delivery {
    var health: DestinationHealth {
        switch verdict {
        case .delivered, .conflict: .working
        case .rejected(let failure): failure.status == nil ? .unknown : .working
        case .retry(let failure, let after) where Self.isOfReceiver(failure.code): .failing(after: after)
        // A reason of its own, such as a request that is still in progress.
        case .retry(let failure, _): failure.status == nil ? .unknown : .working
        case .rateLimited(let failure, let after):
            failure.status == nil ? .throttled(after: after ?? .zero) : .limited(after: after)
        case .needsAuthentication: .unauthenticated
        case .offline: .offline
        }
    }

    private static func isOfReceiver(_ code: DeliveryFailure.Code) -> Bool {
        [.unavailable, .noAnswer, .rateLimited].contains(code)
    }
}
