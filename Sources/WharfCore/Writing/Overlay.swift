/// The effect of a change on the stored bytes of a model, which is shown over them until the
/// service has decided.
///
/// If the codec has members, it has only those that the change changes, so that two changes of one
/// model do not undo each other. Otherwise it has the whole.
package struct Overlay: Hashable, Sendable {
    private enum Form: Hashable, Sendable {
        case members([MemberChange])
        case whole([UInt8], schema: Int)
        case deleted
    }

    private let form: Form

    package static let deletion = Overlay(form: .deleted)

    private init(form: Form) { self.form = form }

    /// - Parameters:
    ///   - base: the bytes on which the change was made, with earlier overlays.
    ///   - bytes: the changed bytes, in the same schema.
    package init(from base: [UInt8]?, to bytes: [UInt8], schema: Int, _ members: CodecMembers?) {
        guard let members, let base, let before = members.split(base), let after = members.split(bytes) else {
            self.init(form: .whole(bytes, schema: schema))
            return
        }
        self.init(form: .members(MemberChange.changes(from: before, to: after)))
    }

    package var isDeletion: Bool { form == .deleted }

    /// Whether it and another change of the same base change different parts, or the same ones to
    /// the same.
    package func isIndependent(of other: Overlay) -> Bool {
        guard case .members(let mine) = form, case .members(let theirs) = other.form else {
            return form == other.form
        }
        return MemberChange.areIndependent(mine, theirs)
    }

    /// - Returns: nil if the change deletes the model, or if it is an edit and the base is missing.
    package func applied(
        to base: (bytes: [UInt8], schema: Int)?, _ members: CodecMembers?
    ) -> (bytes: [UInt8], schema: Int)? {
        switch form {
        case .deleted: return nil
        case .whole(let bytes, let schema): return (bytes, schema)
        case .members(let changes):
            guard let base, let members, let all = members.split(base.bytes) else { return nil }
            return (members.join(MemberChange.apply(changes, to: all)), base.schema)
        }
    }
}
