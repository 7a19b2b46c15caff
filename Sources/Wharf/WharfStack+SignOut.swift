internal import WharfCache
public import WharfCore

#if SQLite
internal import WharfSQLite
#endif

/// What becomes of what an account has read when it signs out.
public enum SignOutPolicy: Sendable, Hashable {
    /// It stays on the disk, for the next stack of the same account.
    case keep
    /// No byte of it stays in the files.
    case purge
}

extension WharfStack {
    /// Ends the stack as ``close()`` does, and keeps or removes the data of its account: responses,
    /// the models in ``entities``, and the changes in ``outbox`` that the service does not have
    /// yet.
    ///
    /// ```swift
    /// try await stack.signOut(.purge)
    /// try await sessions.signOut()            // the token is the app's own, in its SessionStore
    /// ```
    ///
    /// Data of other accounts stays. An answer that comes late goes into no store. Models that an
    /// app has put into ``entities`` by a repository of its own making have to be at rest by then.
    ///
    /// - Throws: the error of a store that could not be purged. The others are purged all the same,
    ///   and it can be called again.
    public func signOut(_ policy: SignOutPolicy) async throws(StoreError) {
        guard policy == .purge else { return await close() }
        await end()
        await repositories.end()
        var failures: [StoreError] = []
        do throws(StoreError) { try await purgeCache() } catch { failures.append(error) }
        do throws(StoreError) { try await purgeData() } catch { failures.append(error) }
        if let failure = failures.first { throw failure }
    }

    private func purgeData() async throws(StoreError) {
        if let data { return try await data.purge(client.account) }
        var failures: [StoreError] = []
        do throws(StoreError) { try await entities.removeAll(of: client.account) } catch { failures.append(error) }
        // An outbox may have a store of its own. In the same store there is nothing left to remove.
        do throws(StoreError) { try await outbox?.store.removeAll(of: client.account) } catch { failures.append(error) }
        if let failure = failures.first { throw failure }
    }

    private func purgeCache() async throws(StoreError) {
        // Nothing of this stack comes in after it was emptied.
        (store as? MemoryCacheStore)?.end()
        #if SQLite
        if let store = store as? SQLiteCacheStore { try await store.close() }
        if let path = cache.path {
            let file = try await SQLiteCacheStore.open(at: path, byteLimit: cache.byteLimit, onIncident: report)
            do throws(StoreError) {
                try await file.removeAll(of: client.account)
            } catch {
                try await file.close()
                throw error
            }
            try await file.close()
        }
        #endif
    }
}
