/// What a commit's template said, from one hook to the next: git refuses a template that nobody touched, but would not know it again
/// with a ticket in it, and does not tell the second hook of it.
struct Template {
    private let path: String

    init(in repository: Repository) { path = repository.gitDirectory + "/ANNOTATE_GIT_COMMIT_TEMPLATE" }

    func keep(_ message: CommitMessage) throws(AnnotationError) {
        try Files.replace(path, with: message.bytes, mode: 0o600)
    }

    func kept(_ comments: Comments) throws(AnnotationError) -> CommitMessage? {
        Files.exists(path) ? CommitMessage(try Files.contents(of: path), comments) : nil
    }

    func forget() throws(AnnotationError) { try Files.remove(path) }
}
