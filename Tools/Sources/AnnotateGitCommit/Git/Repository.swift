/// What is going on in a working tree, by one process of git (two where its branch has no commit yet).
struct Repository {
    /// The working tree's own: linked ones have another than the main one.
    let gitDirectory: String
    /// Without `refs/heads/`; nil on a detached HEAD.
    let branch: String?
    private let isCherryPicking: Bool

    static func current() async throws(AnnotationError) -> Repository {
        // git stops without a word at the first revision that is not there, and leaves out what is no revision: so the last may be missing.
        let answer = try await Git.text([
            "rev-parse", "--absolute-git-dir", "--revs-only", "--symbolic-full-name", "HEAD", "CHERRY_PICK_HEAD",
        ])
        let lines = answer.split(separator: "\n").map(String.init)
        guard let directory = lines.first else {
            throw AnnotationError(.programFailed, "expected the git directory from 'git rev-parse', found nothing")
        }
        var head = lines.count > 1 ? lines[1] : nil
        if head == nil {
            let unborn = try await Git.run(["symbolic-ref", "-q", "HEAD"])
            head = unborn.status == 0 ? unborn.text : nil
        }
        return Repository(gitDirectory: directory, head: head, isCherryPicking: lines.count > 2)
    }

    private init(gitDirectory: String, head: String?, isCherryPicking: Bool) {
        self.gitDirectory = gitDirectory
        self.isCherryPicking = isCherryPicking
        branch = head.flatMap { head in
            guard head.hasPrefix("refs/") else { return nil }
            return String(head.dropFirst(head.hasPrefix("refs/heads/") ? 11 : 5))
        }
    }

    /// Whether git applies commits that were made before: they keep their messages.
    var isReplaying: Bool { isCherryPicking || has("rebase-merge") || has("rebase-apply") }

    var isMerging: Bool { has("MERGE_HEAD") }

    var isReverting: Bool { has("REVERT_HEAD") }

    private func has(_ name: String) -> Bool { Files.exists(gitDirectory + "/" + name) }
}
