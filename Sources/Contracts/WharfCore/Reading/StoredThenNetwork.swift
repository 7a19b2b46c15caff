/// The kept answer of a source, and the request to the network that continues the same call.
///
/// A read that shows the kept value first uses both, so it calls its source once.
package struct StoredThenNetwork<Value: Sendable>: Sendable {
    /// Asks the source in one mode.
    package typealias Ask = @Sendable (CacheMode) async -> Snapshot<Value>

    /// The answer of the source's own cache.
    ///
    /// Without a value and without a refusal, the error is ``ReadFailure/Code/nothingKept``.
    package let stored: Snapshot<Value>
    /// Asks the network, in any mode but ``CacheMode/storedOnly``.
    ///
    /// - Readers of one look may call it several times, in several modes and at the same time.
    /// - It is not called if ``stored`` is enough for all of them.
    package let network: Ask

    package init(stored: Snapshot<Value>, network: @escaping Ask) {
        self.stored = stored
        self.network = network
    }

    /// Asks a source that answers one mode at a time. It is called again for the network.
    package init(_ ask: @escaping Ask) async {
        self.init(stored: await ask(.storedOnly), network: ask)
    }

    /// Maps both answers.
    package func map<Other>(
        _ transform: @escaping @Sendable (Snapshot<Value>) -> Snapshot<Other>
    ) -> StoredThenNetwork<Other> {
        StoredThenNetwork<Other>(stored: transform(stored)) { [network] mode in transform(await network(mode)) }
    }
}

extension RemoteSource {
    /// Reads the kept model, and then the network's, by one call.
    package typealias GetStoredThenNetwork = @Sendable (Model.ID) async -> StoredThenNetwork<Model>
    /// Reads the kept list, and then the network's, by one call.
    package typealias ListStoredThenNetwork = @Sendable (EntityQuery<Model>) async -> StoredThenNetwork<[Model]>

    /// Returns a copy of this source that reads kept answer and network by one call.
    ///
    /// Without this, such a read calls ``get`` or ``list`` twice: with ``CacheMode/storedOnly``,
    /// and then with the mode of the request.
    package func storedThenNetwork(
        get: @escaping GetStoredThenNetwork, list: ListStoredThenNetwork? = nil
    ) -> RemoteSource {
        var copy = self
        copy.getStoredThenNetwork = get
        if self.list != nil, let list { copy.listStoredThenNetwork = list }
        return copy
    }
}
