internal import Synchronization
package import WharfCore

/// The open writers of a store, which a purge of their account ends.
///
/// Otherwise a body that is still received at the purge would be committed after it. A store
/// checks ``contains(_:)`` in the step that commits, so that no purge comes between.
package final class OpenWriters<Writer: CacheWriter & AnyObject>: Sendable {
    private struct Entry {
        let account: Account?
        weak var writer: Writer?
    }

    // Invariant: a writer is listed from its beginning until its release, or until a purge that
    // began later.
    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    package init() {}

    package func add(_ writer: Writer, of account: Account?) {
        entries.withLock { $0[ObjectIdentifier(writer)] = Entry(account: account, writer: writer) }
    }

    /// Removes a writer. Call it from the writer's `deinit`, as a later writer may get its
    /// identifier.
    package func remove(_ writer: Writer) {
        entries.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(writer)) }
    }

    /// Whether no purge has ended the writer.
    package func contains(_ writer: Writer) -> Bool {
        entries.withLock { $0[ObjectIdentifier(writer)] != nil }
    }

    /// Ends and abandons the writers of an account. Call it before its responses are removed.
    package func end(of account: Account?) { end { $0 == account } }

    /// Ends and abandons all writers.
    package func endAll() { end { _ in true } }

    private func end(where isEnded: (Account?) -> Bool) {
        let ended = entries.withLock { entries in
            let ended = entries.filter { isEnded($0.value.account) }
            for identifier in ended.keys { entries[identifier] = nil }
            return ended.values.compactMap(\.writer)
        }
        // Outside of the lock, because the last reference to a writer may be released here.
        for writer in ended { writer.abandon() }
    }
}

extension StoreError {
    /// The error of a commit after a purge of its account.
    package static var purged: StoreError {
        StoreError(
            .closed, message: "the responses of this account were removed since the writer began; begin another one")
    }
}
