/// The effect of a change on the stored bytes of a model.
///
/// It is shown over the bytes until the service has decided. If the codec has members, the overlay
/// has only the members that the change changes. Two changes of one model then do not undo each
/// other. Without members, the overlay has the whole model.
package struct Overlay: Hashable, Sendable {
    private enum Form: Hashable, Sendable {
        case members([MemberChange])
        case whole([UInt8], schema: Int)
        case deleted
    }

    private let form: Form

    package static let deletion = Overlay(form: .deleted)

    private init(form: Form) { self.form = form }

    /// Creates the overlay of an edit or addition.
    ///
    /// - Parameters:
    ///   - base: the bytes on which the change was made, with earlier overlays.
    ///   - bytes: the changed bytes, in the same schema.
    package init(from base: [UInt8]?, to bytes: [UInt8], schema: Int, _ members: CodecMembers?) {
        // Without members or a base, there is no difference to compute. The whole model is the
        // change.
        guard let members, let base, let before = members.split(base), let after = members.split(bytes) else {
            self.init(form: .whole(bytes, schema: schema))
            return
        }
        self.init(form: .members(MemberChange.changes(from: before, to: after)))
    }

    package var isDeletion: Bool { form == .deleted }

    /// Returns whether this change and another one of the same base can both be made.
    ///
    /// They change different parts, or change the same parts in the same way.
    package func isIndependent(of other: Overlay) -> Bool {
        guard case .members(let mine) = form, case .members(let theirs) = other.form else {
            return form == other.form
        }
        return MemberChange.areIndependent(mine, theirs)
    }

    /// Returns the bytes with the change applied.
    ///
    /// - Returns: nil if the change deletes the model, or if it is an edit and the base is missing.
    package func applied(
        to base: (bytes: [UInt8], schema: Int)?, _ members: CodecMembers?
    ) -> (bytes: [UInt8], schema: Int)? {
        switch form {
        case .deleted: return nil
        case .whole(let bytes, let schema): return (bytes, schema)
        case .members(let changes):
            // The row is gone. The changed members alone are no model, so nothing is shown.
            guard let base, let members, let all = members.split(base.bytes) else { return nil }
            return (members.join(MemberChange.apply(changes, to: all)), base.schema)
        }
    }
}
