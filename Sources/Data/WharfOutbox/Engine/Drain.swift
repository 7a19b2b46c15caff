internal import WharfCore
internal import WharfPrimitives

/// A call of ``OutboxEngine/drain(within:)`` that waits until nothing more is due.
struct Drain {
    enum End: Sendable {
        /// Nothing more can be delivered now.
        case complete
        /// Nothing more can be delivered now, because a receiver fails or wants no requests.
        case heldBack
        case timedOut
        case failed(StoreError)
        case closed
    }

    /// The promise of the drain's end. The first end counts.
    let end = Promise<End>()
    private(set) var delivered = 0
    private(set) var failed = 0
    private(set) var setAside = 0

    mutating func count(_ outcomes: [AttemptOutcome]) {
        for outcome in outcomes {
            switch outcome {
            case .delivered: delivered += 1
            case .dead, .conflict: setAside += 1
            case .retry, .held, .abandoned, .merged: failed += 1
            case .filledIn: break
            }
        }
    }
}
