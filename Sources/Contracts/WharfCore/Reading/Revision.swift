/// The identity of a value among all values that a key in a store has had.
///
/// Two values of one key are the same exactly if their revisions are equal. Revisions have no
/// order. The newer of two values is the one that was read at the later version.
package enum Revision: Hashable, Sendable {
    /// A row: the version of its commit, and the pending changes shown over it.
    case row(StoreVersion, changes: UInt64)
    /// A list: the version of its own row, and its members in order.
    case list(StoreVersion?, members: [Member])

    package struct Member: Hashable, Sendable {
        package let key: EntityKey
        package let revision: Revision?

        package init(_ key: EntityKey, _ revision: Revision?) { (self.key, self.revision) = (key, revision) }
    }
}
