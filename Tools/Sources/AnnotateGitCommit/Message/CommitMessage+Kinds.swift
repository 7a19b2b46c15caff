extension CommitMessage {
    /// Whether `git rebase --autosquash` is going to look for its subject.
    package var isFixup: Bool { subjectStarts(with: ["fixup! ", "squash! ", "amend! "]) }

    /// Whether it takes back a commit, or takes that back.
    package var isRevert: Bool {
        subjectStarts(with: ["Revert \"", "Reapply \""])
            || lines.contains { bytes[$0].starts(with: "This reverts commit ".utf8) }
    }

    private func subjectStarts(with beginnings: [String]) -> Bool {
        guard let subject else { return false }
        return beginnings.contains { bytes[subject].starts(with: $0.utf8) }
    }
}
