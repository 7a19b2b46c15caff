extension CommitMessage {
    /// Whether `git rebase --autosquash` will treat the subject as a fixup.
    package var isFixup: Bool { subjectStarts(with: ["fixup! ", "squash! ", "amend! "]) }

    /// Whether the commit reverts another one, or reapplies a reverted one.
    package var isRevert: Bool {
        subjectStarts(with: ["Revert \"", "Reapply \""]) || lines.contains { Self.namesReverted(bytes[$0]) }
    }

    /// Returns whether the line is git's "This reverts commit".
    ///
    /// The full name of the commit is followed by the end of the sentence, or by the parent that a
    /// merge goes back to. With `git revert --reference` an abbreviated name is followed by subject
    /// and date.
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
