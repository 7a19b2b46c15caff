internal import Synchronization
internal import WharfCore

/// One call of a source, which gives the kept answer first and then the network's.
///
/// A request that looks at the kept answer hands its descent to the request to the network, which
/// continues the call. So a model or list over HTTP or GraphQL is addressed once. A source of one
/// mode at a time is called for each.
final class Descent<Value: Sendable>: Sendable {
    private let network = Mutex<StoredThenNetwork<Value>.Ask?>(nil)

    /// Asks the source in a mode.
    ///
    /// - Parameters:
    ///   - call: calls the source for the kept answer and the request that follows it.
    ///   - ask: calls the source in one mode, without a look before it.
    func ask(
        _ mode: CacheMode, call: () async -> StoredThenNetwork<Value>, ask: (CacheMode) async -> Snapshot<Value>
    ) async -> Snapshot<Value> {
        guard mode != .storedOnly else {
            let answer = await call()
            network.withLock { $0 = answer.network }
            return answer.stored
        }
        // The look has begun a call. A second one would address the request again.
        if let network = network.withLock({ $0 }) { return await network(mode) }
        return await ask(mode)
    }
}

extension RemoteSource {
    /// Reads one model, and continues a call that has looked.
    func get(_ id: Model.ID, _ mode: CacheMode, by descent: Descent<Model>) async -> Snapshot<Model> {
        await descent.ask(mode) {
            await getStoredThenNetwork(id)
        } ask: { mode in
            await get(id, mode)
        }
    }

    /// Reads a list, and continues a call that has looked.
    func list(
        _ query: EntityQuery<Model>, _ mode: CacheMode, by descent: Descent<[Model]>
    ) async -> Snapshot<[Model]> {
        guard let list, let listStoredThenNetwork else { return Snapshot(kept: nil, error: .noList) }
        return await descent.ask(mode) {
            await listStoredThenNetwork(query)
        } ask: { mode in
            await list(query, mode)
        }
    }
}
