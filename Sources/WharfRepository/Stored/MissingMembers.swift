internal import Synchronization
internal import WharfCore

/// What lists in the store name and the store does not have. Once it has, they are others.
final class MissingMembers: Sendable {
    private let missing = Mutex<[EntityKey: Set<EntityKey>]>([:])

    /// What a list lacks; everything that it names while that is being found out.
    func set(_ members: some Sequence<EntityKey>, of list: EntityKey) {
        let members = Set(members)
        missing.withLock { $0[list] = members.isEmpty ? nil : members }
    }

    /// The newest version of the changes that a list lacks the members of; nil if there are none.
    func touched(_ changed: [EntityKey: StoreVersion], _ list: EntityKey) -> StoreVersion? {
        missing.withLock { missing in missing[list]?.compactMap { changed[$0] }.max() }
    }
}
