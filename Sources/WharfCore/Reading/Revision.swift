/// Which of the values of a key in a store a value is.
///
/// Two values of one key are the same value exactly if their revisions are equal. Revisions have no
/// order: which of two values is newer is decided by the version at which each was looked at.
package enum Revision: Hashable, Sendable {
    /// One row: the version of the commit that put it, and the pending changes that are shown over
    /// it.
    case row(StoreVersion, changes: UInt64)
    /// A list: the version of its own row, and its members in their order.
    case list(StoreVersion?, members: [Member])

    package struct Member: Hashable, Sendable {
        package let key: EntityKey
        package let revision: Revision?

        package init(_ key: EntityKey, _ revision: Revision?) { (self.key, self.revision) = (key, revision) }
    }
}
