/// The hook that `install` writes: it calls the earlier hook, then the tool.
struct HookScript {
    enum Name: String, CaseIterable {
        case prepareCommitMessage = "prepare-commit-msg"
        case commitMessage = "commit-msg"
    }

    /// The suffix that the earlier hook's name gets.
    static let suffix = ".before-annotate-git-commit"
    private static let signature =
        "# Written by 'annotate-git-commit install'; 'annotate-git-commit uninstall' takes it away."

    let name: Name
    /// The tool's absolute path.
    let tool: String
    /// The options for `add-ticket`.
    let options: [String]
    let pattern: String

    var text: String {
        let options = (name == .commitMessage ? ["--commit-msg"] : []) + self.options
        let call = (["add-ticket"] + (options + ["--", pattern]).map(quoted)).joined(separator: " ")
        return """
            #!/bin/sh
            \(Self.signature)
            before="$0\(Self.suffix)"
            if [ -f "$before" ] && [ -x "$before" ]; then "$before" "$@" || exit; fi
            tool=\(quoted(tool))
            if [ ! -x "$tool" ]; then
                echo "annotate-git-commit: there is no tool at $tool; install the hooks again, or remove $0" >&2
                exit 1
            fi
            exec "$tool" \(call) "$@"

            """
    }

    static func wrote(_ contents: [UInt8]) -> Bool {
        contents.split(separator: .lineEnd, maxSplits: 2).dropFirst().first?.elementsEqual(signature.utf8) ?? false
    }

    /// Returns the text quoted as one word for sh.
    private func quoted(_ text: String) -> String {
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: "'\\''") + "'"
    }
}
