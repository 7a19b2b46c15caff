/// What a change does to the bytes of a model as it lies in a store: shown over them until the service has decided.
///
/// Where the codec can tell members apart (JSON: the members of the object at the top), it has only those that the change changes, so
/// that two changes of one model don't undo each other. Otherwise it has the whole.
package struct Overlay: Hashable, Sendable {
    private enum Form: Hashable, Sendable {
        case members([CodecMembers.Member], removed: Set<String>)
        case whole([UInt8], schema: Int)
        case deleted
    }

    private let form: Form

    package static let deletion = Overlay(form: .deleted)

    private init(form: Form) { self.form = form }

    /// - Parameters:
    ///   - base: what the change was made on, earlier overlays included.
    ///   - bytes: what it made of it, in the same schema.
    package init(from base: [UInt8]?, to bytes: [UInt8], schema: Int, _ members: CodecMembers?) {
        guard let members, let base, let before = members.split(base), let after = members.split(bytes) else {
            self.init(form: .whole(bytes, schema: schema))
            return
        }
        let known = Dictionary(before.map { ($0.name, $0.bytes) }) { _, last in last }
        let names = Set(after.map(\.name))
        let changed = after.filter { known[$0.name] != $0.bytes }
        self.init(form: .members(changed, removed: Set(known.keys).subtracting(names)))
    }

    package var isDeletion: Bool { form == .deleted }

    /// Whether it and another change of the same base change different members, or the same ones to the same.
    package func isIndependent(of other: Overlay) -> Bool {
        guard case .members(let mine, let removed) = form, case .members(let theirs, let removedByThem) = other.form
        else { return form == other.form }
        let known = Dictionary(theirs.map { ($0.name, $0.bytes) }) { _, last in last }
        return mine.allSatisfy { !removedByThem.contains($0.name) && (known[$0.name] ?? $0.bytes) == $0.bytes }
            && removed.isDisjoint(with: known.keys)
    }

    /// - Returns: nil for what is deleted, and for what there is not enough of to show.
    package func applied(
        to base: (bytes: [UInt8], schema: Int)?, _ members: CodecMembers?
    ) -> (bytes: [UInt8], schema: Int)? {
        switch form {
        case .deleted: return nil
        case .whole(let bytes, let schema): return (bytes, schema)
        case .members(let changed, let removed):
            guard let base, let members, var all = members.split(base.bytes) else { return nil }
            all.removeAll { removed.contains($0.name) }
            for member in changed {
                if let index = all.firstIndex(where: { $0.name == member.name }) {
                    all[index] = member
                } else {
                    all.append(member)
                }
            }
            return (members.join(all), base.schema)
        }
    }
}
