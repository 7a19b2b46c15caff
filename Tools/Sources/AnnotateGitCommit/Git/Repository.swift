/// The state of a working tree.
struct Repository {
    /// The git directory of the working tree. A linked tree has its own.
    let gitDirectory: String
    /// The branch without `refs/heads/`; nil on a detached HEAD.
    let branch: String?
    private let isCherryPicking: Bool

    /// - Parameter file: a message. git's own is in the git directory. The file HEAD there names
    ///   the branch (gitrepository-layout(5)), so a hook needs no git process for it.
    static func current(around file: String) async throws(AnnotationError) -> Repository {
        let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
        if Files.exists(folder + "/HEAD"), Files.exists(folder + "/objects") || Files.exists(folder + "/commondir"),
            let head = branch(ofHead: try Files.contents(of: folder + "/HEAD"))
        {
            return Repository(
                gitDirectory: folder, head: head, isCherryPicking: Files.exists(folder + "/CHERRY_PICK_HEAD"))
        }
        return try await current()
    }

    /// Returns nil if HEAD names no branch: it is detached, or the references are not in files.
    private static func branch(ofHead contents: [UInt8]) -> String? {
        let text = String(decoding: contents, as: UTF8.self)
        guard text.hasPrefix("ref: refs/heads/"), !text.hasSuffix("/.invalid\n"), text.last == "\n" else { return nil }
        return String(text.dropFirst(5).dropLast())
    }

    /// Asks git, by one process, or by two if the branch has no commit yet.
    private static func current() async throws(AnnotationError) -> Repository {
        // git stops silently at the first revision that does not exist, and omits arguments that
        // are not revisions. So the last line may be missing.
        let answer = try await Git.text([
            "rev-parse", "--absolute-git-dir", "--revs-only", "--symbolic-full-name", "HEAD", "CHERRY_PICK_HEAD",
        ])
        let lines = answer.split(separator: "\n").map(String.init)
        guard let directory = lines.first else {
            throw AnnotationError(.programFailed, "'git rev-parse' printed no git directory")
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

    /// Whether git replays commits, which keep their messages.
    var isReplaying: Bool { isCherryPicking || has("rebase-merge") || has("rebase-apply") }

    var isMerging: Bool { has("MERGE_HEAD") }

    var isReverting: Bool { has("REVERT_HEAD") }

    /// Returns whether the last commit is a merge, by one git process.
    static func headIsMerge() async throws(AnnotationError) -> Bool {
        try await Git.run(["rev-parse", "-q", "--verify", "HEAD^2"]).status == 0
    }

    private func has(_ name: String) -> Bool { Files.exists(gitDirectory + "/" + name) }
}
