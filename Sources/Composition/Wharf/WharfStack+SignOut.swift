internal import WharfCache
public import WharfCore
internal import WharfStorage

#if SQLite
internal import WharfSQLite
#endif

/// The treatment of an account's data at its sign-out.
public enum SignOutPolicy: Sendable, Hashable {
    /// The data stays on the disk, for the next stack of the same account.
    case keep
    /// No byte of the data stays in the files.
    case purge
}

extension WharfStack {
    /// Closes the stack, and keeps or removes the data of its account.
    ///
    /// The stack ends as with ``close()``. The data are responses, the models in ``entities``, and
    /// the undelivered changes in ``outbox``.
    ///
    /// ```swift
    /// try await stack.signOut(.purge)
    /// try await sessions.signOut()            // the token is the app's own, in its SessionStore
    /// ```
    ///
    /// Data of other accounts stays. A late answer is not stored. If the app has made a repository
    /// over ``entities`` itself, close it before: the stack can't stop its writes.
    ///
    /// - Throws: the error of a store that could not be purged. The other stores are purged all the
    ///   same. After an error you can call this again.
    public func signOut(_ policy: SignOutPolicy) async throws(StoreError) {
        guard policy == .purge else { return await close() }
        await end()
        // For stores of the app's own too: a late answer would bring back a model of the account
        // after the purge.
        await repositories.end()
        var failures: [StoreError] = []
        // A failure of one store must not leave the data of the other, so both are tried.
        do throws(StoreError) { try await purgeCache() } catch { failures.append(error) }
        do throws(StoreError) { try await purgeData() } catch { failures.append(error) }
        if let failure = failures.first { throw failure }
    }

    private func purgeData() async throws(StoreError) {
        if let data { return try await data.purge(client.account) }
        var failures: [StoreError] = []
        do throws(StoreError) { try await entities.removeAll(of: client.account) } catch { failures.append(error) }
        // An outbox may have a store of its own. If it shares `entities`, the call removes nothing
        // more.
        do throws(StoreError) { try await outbox?.store.removeAll(of: client.account) } catch { failures.append(error) }
        if let failure = failures.first { throw failure }
    }

    private func purgeCache() async throws(StoreError) {
        // A late response of this stack must not enter the store after the purge.
        (store as? MemoryCacheStore)?.end()
        #if SQLite
        // Closed before it is purged, since a late response could be committed between the two. The
        // purge then opens the file for itself.
        if let store = store as? SQLiteCacheStore { try await store.close() }
        if let path = cache.path {
            let file = try await SQLiteCacheStore.open(at: path, byteLimit: cache.byteLimit, onIncident: report)
            do throws(StoreError) {
                try await (cacheDecorator?(file) ?? file).removeAll(of: client.account)
            } catch {
                try await file.close()
                throw error
            }
            try await file.close()
        }
        #endif
    }
}
