internal import WharfCore

/// The state of a destination that an answer shows.
enum DestinationHealth: Hashable {
    /// The receiver decided about the entry: delivered, refused, or a conflict.
    case working
    /// The receiver can't serve requests now: 5xx, or no answer.
    ///
    /// - Parameter after: how long the receiver wants no request (`Retry-After`).
    case failing(after: Duration?)
    /// The receiver wants fewer requests: 429, or a used-up quota.
    case limited(after: Duration?)
    /// The destination throttles itself to its receiver's limit.
    case throttled(after: Duration)
    /// The receiver refuses the credential.
    case unauthenticated
    case offline
    /// The destination answered by itself, without sending a request.
    case unknown
}

extension Delivery {
    var health: DestinationHealth {
        switch verdict {
        case .delivered, .conflict: .working
        // Without a status the destination refused the entry by itself, so nothing is known about
        // the receiver.
        case .rejected(let failure): failure.status == nil ? .unknown : .working
        case .retry(let failure, let after) where Self.isOfReceiver(failure.code): .failing(after: after)
        // The reason is the entry's own, such as a request that is still in progress.
        case .retry(let failure, _): failure.status == nil ? .unknown : .working
        case .rateLimited(let failure, let after):
            // Without a status no receiver was asked: the destination keeps its own limit.
            failure.status == nil ? .throttled(after: after ?? .zero) : .limited(after: after)
        case .needsAuthentication: .unauthenticated
        case .offline: .offline
        }
    }

    private static func isOfReceiver(_ code: DeliveryFailure.Code) -> Bool {
        [.unavailable, .noAnswer, .rateLimited].contains(code)
    }
}
