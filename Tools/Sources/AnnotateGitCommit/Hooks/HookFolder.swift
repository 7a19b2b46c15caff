/// The folder in which git looks for the hooks of a repository.
///
/// Linked working trees share it, and `core.hooksPath` may move it.
struct HookFolder {
    let path: String

    static func current() async throws(AnnotationError) -> HookFolder {
        let answer = try await Git.run(["rev-parse", "--show-toplevel", "--absolute-git-dir"])
        let lines = answer.text.split(separator: "\n").map(String.init)
        guard answer.status == 0, let top = lines.first, let directory = lines.last else {
            throw AnnotationError(
                .programFailed,
                "the current folder is not in a working tree of a git repository; change to one, and try again "
                    + "(\(answer.error))")
        }
        // A relative core.hooksPath is relative to the top, in which git runs hooks. So a relative
        // GIT_DIR would be, too.
        let path = try await Git.text([
            "--git-dir=" + directory, "--work-tree=" + top, "-C", top, "rev-parse", "--git-path", "hooks",
        ])
        guard ![".", "./"].contains(path) else {
            throw AnnotationError(
                .programFailed,
                "core.hooksPath names no separate folder, so git runs no hooks; set one, or run "
                    + "'git config --unset core.hooksPath'")
        }
        return HookFolder(path: path.hasPrefix("/") ? path : top + "/" + path)
    }

    /// - Returns: a report for people.
    /// - Throws: ``AnnotationError`` if a hook of another origin exists. Nothing is changed then.
    func install(_ scripts: [HookScript], force: Bool) throws(AnnotationError) -> String {
        try Files.makeFolder(path)
        var foreign: [HookScript.Name] = []
        for script in scripts where owner(of: script.name) == .somebodyElse { foreign.append(script.name) }
        if let name = foreign.first, !force {
            throw AnnotationError(
                .foreignHook,
                "the \(name.rawValue) hook \(place(name)) was not written by this tool; "
                    + "use --force, which keeps it as \(name.rawValue + HookScript.suffix) and calls it first")
        }
        for name in foreign where Files.exists(kept(name)) {
            throw AnnotationError(
                .foreignHook,
                "\(place(name)) can't be kept as \(kept(name)), which exists already; remove one of the two hooks"
            )
        }
        var lines: [String] = []
        for script in scripts {
            let name = script.name
            let isForeign = foreign.contains(name)
            if isForeign {
                try Files.move(place(name), to: kept(name))
                lines.append("\(place(name)) is now \(name.rawValue + HookScript.suffix), and is called first.")
            }
            do throws(AnnotationError) {
                try Files.replace(place(name), with: Array(script.text.utf8), mode: 0o755)
            } catch {
                if isForeign { try Files.move(kept(name), to: place(name)) }
                throw error
            }
            lines.append("Installed \(place(name)).")
        }
        return lines.joined(separator: "\n")
    }

    /// - Returns: a report for people.
    func uninstall() throws(AnnotationError) -> String {
        var lines: [String] = []
        for name in HookScript.Name.allCases {
            let owner = owner(of: name)
            if owner == .somebodyElse {
                lines.append("\(place(name)) was not written by this tool; it is unchanged.")
            } else if Files.exists(kept(name)) {
                // The kept hook may be a folder, which can't replace a file.
                try Files.remove(place(name))
                try Files.move(kept(name), to: place(name))
                lines.append("Restored the previous \(place(name)).")
            } else if owner == .thisTool {
                try Files.remove(place(name))
                lines.append("Removed \(place(name)).")
            } else {
                lines.append("There is no \(place(name)).")
            }
        }
        return lines.joined(separator: "\n")
    }

    private enum Owner { case nobody, thisTool, somebodyElse }

    private func owner(of name: HookScript.Name) -> Owner {
        guard Files.exists(place(name)) else { return .nobody }
        guard Files.isRegular(place(name)), let contents = try? Files.contents(of: place(name)) else {
            return .somebodyElse
        }
        return HookScript.wrote(contents) ? .thisTool : .somebodyElse
    }

    private func place(_ name: HookScript.Name) -> String { path + "/" + name.rawValue }

    private func kept(_ name: HookScript.Name) -> String { place(name) + HookScript.suffix }
}
