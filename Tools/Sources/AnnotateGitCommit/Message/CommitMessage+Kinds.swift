extension CommitMessage {
    /// Whether `git rebase --autosquash` is going to look for its subject.
    package var isFixup: Bool { subjectStarts(with: ["fixup! ", "squash! ", "amend! "]) }

    /// Whether it takes back a commit, or takes that back.
    package var isRevert: Bool {
        subjectStarts(with: ["Revert \"", "Reapply \""]) || lines.contains { Self.namesReverted(bytes[$0]) }
    }

    /// What git writes: the whole name, before the end of a sentence or the parent that a merge
    /// goes back to; or an abbreviated one with its subject and date (`git revert --reference`).
    private static func namesReverted(_ line: ArraySlice<UInt8>) -> Bool {
        let beginning = Array("This reverts commit ".utf8)
        guard line.starts(with: beginning) else { return false }
        let rest = line.dropFirst(beginning.count).withoutTrailingSpace
        let name = rest.prefix { (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) || (48...57).contains($0) }
        let end = rest[name.endIndex...]
        if end.starts(with: " (".utf8) { return !name.isEmpty && end.suffix(2).elementsEqual(").".utf8) }
        return [40, 64].contains(name.count) && (end.first == UInt8(ascii: ".") || end.first == UInt8(ascii: ","))
    }

    private func subjectStarts(with beginnings: [String]) -> Bool {
        guard let subject else { return false }
        return beginnings.contains { bytes[subject].starts(with: $0.utf8) }
    }
}
