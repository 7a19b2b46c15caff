/// The difference between two values of a member, to be applied to a third value.
///
/// A difference of objects or lists also has the whole result. If the third value lacks the object
/// or the list, it gets the whole result.
indirect enum PartChange: Hashable, Sendable {
    /// Replaces the part; nil removes it.
    case set(CodecMembers.Part?)
    case members([MemberChange], whole: CodecMembers.Part)
    case elements(ElementChanges, whole: CodecMembers.Part)

    /// Creates the difference of two parts; nil if they are equal.
    init?(from before: CodecMembers.Part, to after: CodecMembers.Part) {
        guard before != after else { return nil }
        switch (before, after) {
        case (.object(let old), .object(let new)):
            self = .members(MemberChange.changes(from: old, to: new), whole: after)
        case (.list(let old), .list(let new)):
            self = .elements(ElementChanges(from: old, to: new), whole: after)
        default:
            self = .set(after)
        }
    }

    /// Returns the change that adds a part.
    ///
    /// An object is added member by member, because the service may have the same object with
    /// members of its own, such as a creation time.
    static func adding(_ part: CodecMembers.Part) -> PartChange {
        guard case .object(let members) = part else { return .set(part) }
        return .members(MemberChange.changes(from: [], to: members), whole: part)
    }

    /// Returns whether this change and another one of the same value can both be made.
    ///
    /// The result does not depend on their order.
    func isIndependent(of other: PartChange) -> Bool {
        switch (self, other) {
        case (.members(let mine, _), .members(let theirs, _)): MemberChange.areIndependent(mine, theirs)
        case (.elements(let mine, _), .elements(let theirs, _)): mine.isIndependent(of: theirs)
        default: self == other
        }
    }

    /// Returns the part with the change applied; nil if the change removes it.
    func applied(to part: CodecMembers.Part?) -> CodecMembers.Part? {
        switch (self, part) {
        case (.set(let new), _): return new
        case (.members(let changes, _), .object(let members)):
            // Members of a part are sorted by name, so that equal objects are equal values.
            return .object(MemberChange.apply(changes, to: members).sorted { $0.name < $1.name })
        case (.elements(let changes, _), .list(let elements)): return .list(changes.applied(to: elements))
        // The third value has no such object or list. Its difference alone would be a fragment.
        case (.members(_, let whole), _), (.elements(_, let whole), _): return whole
        }
    }
}

/// A change of one member of an object.
struct MemberChange: Hashable, Sendable {
    let name: String
    let change: PartChange

    /// Returns the changes from one object to another. The removals come last.
    static func changes(from before: [CodecMembers.Member], to after: [CodecMembers.Member]) -> [MemberChange] {
        let known = Dictionary(before.map { ($0.name, $0.part) }) { _, last in last }
        var changes = after.compactMap { member in
            let change = known[member.name].map { PartChange(from: $0, to: member.part) } ?? .adding(member.part)
            return change.map { MemberChange(name: member.name, change: $0) }
        }
        let names = Set(after.map(\.name))
        for member in before where !names.contains(member.name) {
            changes.append(MemberChange(name: member.name, change: .set(nil)))
        }
        return changes
    }

    /// Returns whether two changes of one object can both be made.
    ///
    /// They change different members, or change the same ones in the same way.
    static func areIndependent(_ mine: [MemberChange], _ theirs: [MemberChange]) -> Bool {
        // Only members that both change can be in conflict.
        let known = Dictionary(theirs.map { ($0.name, $0.change) }) { _, last in last }
        return mine.allSatisfy { change in
            known[change.name].map { change.change.isIndependent(of: $0) } ?? true
        }
    }

    /// Returns the members after the changes. New members come last.
    static func apply(_ changes: [MemberChange], to members: [CodecMembers.Member]) -> [CodecMembers.Member] {
        var members = members
        for change in changes {
            let index = members.firstIndex { $0.name == change.name }
            guard let part = change.change.applied(to: index.map { members[$0].part }) else {
                members.removeAll { $0.name == change.name }
                continue
            }
            if let index {
                members[index].part = part
            } else {
                members.append(.init(change.name, part))
            }
        }
        return members
    }
}
