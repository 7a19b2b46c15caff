internal import WharfCore

/// Somebody who waits until nothing more is due.
struct Drain {
    enum End: Sendable {
        /// Nothing more can be delivered now.
        case dry
        case late
        case failed(StoreError)
        case closed
    }

    private let ends: AsyncStream<End>.Continuation
    private(set) var delivered = 0
    private(set) var failed = 0
    private(set) var setAside = 0

    init(_ ends: AsyncStream<End>.Continuation) { self.ends = ends }

    /// The first counts.
    func end(_ end: End) {
        ends.yield(end)
        ends.finish()
    }

    mutating func count(_ consequences: [Consequence]) {
        for consequence in consequences {
            switch consequence {
            case .delivered: delivered += 1
            case .dead, .conflict: setAside += 1
            case .retry, .offline, .needsAuthentication, .abandoned, .merged: failed += 1
            case .filledIn: break
            }
        }
    }
}
