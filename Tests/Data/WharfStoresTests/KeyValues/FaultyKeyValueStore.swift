import Synchronization
import WharfCore

/// A store whose process is killed at the n-th counted call. That call and all later ones throw.
final class FaultyKeyValueStore: KeyValueStore {
    struct Fault: Sendable, CustomStringConvertible {
        /// The number of the fatal call, counted from 1.
        let call: Int
        /// Whether the fatal call was carried out before it threw.
        let isAfter: Bool
        var description: String { "\(isAfter ? "after" : "before") call \(call)" }
    }

    /// Counts the calls of one or several stores that die together.
    final class Fuse: Sendable {
        private let state: Mutex<(fault: Fault?, calls: Int)>

        init(_ fault: Fault?) { state = Mutex((fault, 0)) }

        var calls: Int { state.withLock { $0.calls } }

        /// Ends the fault, as a restart does.
        func mend() { state.withLock { $0.fault = nil } }

        fileprivate func call<Value>(
            _ body: () async throws(StoreError) -> Value
        ) async throws(StoreError) -> Value {
            let (fault, call) = state.withLock { state in
                state.calls += 1
                return (state.fault, state.calls)
            }
            guard let fault, call >= fault.call else { return try await body() }
            if fault.isAfter, call == fault.call { _ = try await body() }
            throw StoreError(.unavailable, message: "killed \(fault)")
        }
    }

    let base: any KeyValueStore
    let fuse: Fuse
    private let countsReads: Bool

    init(_ base: any KeyValueStore, _ fuse: Fuse, countsReads: Bool = true) {
        self.base = base
        self.fuse = fuse
        self.countsReads = countsReads
    }

    func value(for key: String) async throws(StoreError) -> [UInt8]? {
        guard countsReads else { return try await base.value(for: key) }
        return try await fuse.call { () async throws(StoreError) in try await base.value(for: key) }
    }

    func set(_ value: [UInt8]?, for key: String) async throws(StoreError) {
        try await fuse.call { () async throws(StoreError) in try await base.set(value, for: key) }
    }

    func keys(withPrefix prefix: String) async throws(StoreError) -> [String] {
        guard countsReads else { return try await base.keys(withPrefix: prefix) }
        return try await fuse.call { () async throws(StoreError) in try await base.keys(withPrefix: prefix) }
    }
}
