/// Where git looks for the hooks of a repository: linked working trees share them, and `core.hooksPath` may have them elsewhere.
struct HookFolder {
    let path: String

    static func current() async throws(AnnotationError) -> HookFolder {
        let top = try await Git.run(["rev-parse", "--show-toplevel"])
        guard top.status == 0 else {
            throw AnnotationError(
                .programFailed,
                "expected to be in a working tree of a git repository, found none; go to one, and try again (\(top.error))"
            )
        }
        // A relative core.hooksPath begins where hooks are run: at the top.
        let path = try await Git.text(["-C", top.text, "rev-parse", "--git-path", "hooks"])
        return HookFolder(path: path.hasPrefix("/") ? path : top.text + "/" + path)
    }

    /// - Returns: what was done, for people.
    /// - Throws: ``AnnotationError`` before anything is changed, where somebody else's hook stands in the way.
    func install(_ scripts: [HookScript], force: Bool) throws(AnnotationError) -> String {
        try Files.makeFolder(path)
        var foreign: [HookScript.Name] = []
        for script in scripts where try owner(of: script.name) == .somebodyElse { foreign.append(script.name) }
        if let name = foreign.first, !force {
            throw AnnotationError(
                .foreignHook,
                "expected no \(name.rawValue) hook, found \(place(name)), which is not this tool's; "
                    + "with --force it is kept as \(name.rawValue + HookScript.suffix) and called first")
        }
        for name in foreign where Files.exists(kept(name)) {
            throw AnnotationError(
                .foreignHook,
                "expected to keep \(place(name)) as \(kept(name)), found a file there already; remove the one that is not needed"
            )
        }
        var lines: [String] = []
        for name in foreign {
            try Files.move(place(name), to: kept(name))
            lines.append("\(place(name)) is now \(name.rawValue + HookScript.suffix), and is called first.")
        }
        for script in scripts {
            try Files.replace(place(script.name), with: Array(script.text.utf8), mode: 0o755)
            lines.append("Installed \(place(script.name)).")
        }
        return lines.joined(separator: "\n")
    }

    /// - Returns: what was done, for people.
    func uninstall() throws(AnnotationError) -> String {
        var lines: [String] = []
        for name in HookScript.Name.allCases {
            let owner = try owner(of: name)
            if owner == .somebodyElse {
                lines.append("\(place(name)) is not this tool's; it stays as it is.")
            } else if Files.exists(kept(name)) {
                try Files.move(kept(name), to: place(name))
                lines.append("\(place(name)) is again what it was before.")
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

    private func owner(of name: HookScript.Name) throws(AnnotationError) -> Owner {
        guard Files.exists(place(name)) else { return .nobody }
        return HookScript.wrote(try Files.contents(of: place(name))) ? .thisTool : .somebodyElse
    }

    private func place(_ name: HookScript.Name) -> String { path + "/" + name.rawValue }

    private func kept(_ name: HookScript.Name) -> String { place(name) + HookScript.suffix }
}
