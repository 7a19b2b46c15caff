internal import Synchronization
internal import WharfCore

/// Members that stored lists name and that have no row in the store.
///
/// A commit that puts such a row changes the list, although the list's own row stays as it is.
final class MissingMembers: Sendable {
    // Lock order: a cache may hold its lock when it asks. This lock is a leaf.
    private let missing = Mutex<[EntityKey: Set<EntityKey>]>([:])

    /// Sets the missing members of a list.
    ///
    /// While a look is finding them out, all members of the list count as missing.
    func set(_ members: some Sequence<EntityKey>, of list: EntityKey) {
        let members = Set(members)
        missing.withLock { $0[list] = members.isEmpty ? nil : members }
    }

    /// Returns the newest version of the changes to missing members of a list.
    ///
    /// nil if no missing member was changed.
    func touched(_ changed: [EntityKey: StoreVersion], _ list: EntityKey) -> StoreVersion? {
        missing.withLock { missing in missing[list]?.compactMap { changed[$0] }.max() }
    }
}
