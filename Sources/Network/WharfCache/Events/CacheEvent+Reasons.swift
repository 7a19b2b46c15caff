internal import WharfCore

extension CacheEvent.NotStoredReason {
    /// The reason of the policy to refuse an answer.
    init(_ reason: Storability.Reason) {
        self =
            switch reason {
            case .head: .head
            case .status: .status
            case .part: .part
            case .requestNoStore: .requestNoStore
            case .noStore: .noStore
            case .privateAnswer: .privateAnswer
            case .authorization: .authorization
            case .notUnderstood: .notUnderstood
            case .varyAny: .varyAny
            case .varyCredentials: .varyCredentials
            case .noLifetime: .noLifetime
            }
    }

    /// The reason of the store. The code is that of the incident.
    init(_ error: StoreError) {
        self =
            switch error.code {
            case .tooLarge: .tooLarge
            case .cancelled: .abandoned
            default: .storeFailed
            }
    }
}
