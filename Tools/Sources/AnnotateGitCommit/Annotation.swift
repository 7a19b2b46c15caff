/// One run as a hook: what becomes of the message in a file.
struct Annotation {
    /// Which of git's two hooks it is.
    enum Hook {
        /// Shows the ticket before the editor opens. git says where the message comes from.
        case prepareCommitMessage(source: String?)
        /// Sees to it that the ticket is there in the end, and to it that nothing but a ticket is refused by git, as what is empty.
        case commitMessage
    }

    let pattern: TicketPattern
    let options: TicketOptions
    let hook: Hook
    let file: String

    func run() async throws(AnnotationError) {
        let (repository, settings) = try await surroundings()
        let bytes = try Files.contents(of: file)
        let comments = Comments(
            of: bytes, marker: settings.marker, cleanup: settings.cleanup,
            // So git tells hooks that it opens no editor.
            isEdited: Surroundings.variable("GIT_EDITOR") != ":")
        let message = CommitMessage(bytes, comments)
        let result = try await annotated(message, repository, settings)
        if result != bytes { try Files.replace(file, with: result) }
    }

    private func surroundings() async throws(AnnotationError) -> (Repository, MessageSettings) {
        // At the same time: each takes git about as long as all the rest takes.
        async let settings = outcome { () async throws(AnnotationError) in try await MessageSettings.current() }
        let repository = try await Repository.current()
        return (repository, try await settings.get())
    }

    private func annotated(
        _ message: CommitMessage, _ repository: Repository, _ settings: MessageSettings
    ) async throws(AnnotationError) -> [UInt8] {
        let template = Template(in: repository)
        switch hook {
        case .prepareCommitMessage(source: "template"): try template.keep(message)
        case .prepareCommitMessage: try template.forget()
        case .commitMessage: break
        }
        guard !isSkipped(message, repository), let id = try id(for: message, repository) else { return message.bytes }
        let ticket = Ticket(options.form, id: try await settings.encoded(id))
        switch hook {
        case .prepareCommitMessage:
            // Nobody is going to fill it: git refuses it as it is.
            guard message.comments.areCut || !message.isEmpty else { return message.bytes }
            try refuseComment(ticket, message)
            return message.adding(ticket).bytes
        case .commitMessage:
            let without = message.removing(ticket)
            let kept = try template.kept(message.comments)
            try template.forget()
            if without.isEmpty {
                return message.comments.isVerbatim && without.bytes.allSatisfy(\.isSpace) ? [] : without.bytes
            }
            if let kept, without.isUntouched(kept) { return without.bytes }
            try refuseComment(ticket, message)
            return message.adding(ticket).bytes
        }
    }

    private func isSkipped(_ message: CommitMessage, _ repository: Repository) -> Bool {
        if repository.isReplaying { return true }
        var isMerge = repository.isMerging
        if case .prepareCommitMessage(source: "merge") = hook { isMerge = true }
        if isMerge { return !options.include.contains(.merges) }
        if message.isFixup { return !options.include.contains(.fixups) }
        if message.isRevert || repository.isReverting { return !options.include.contains(.reverts) }
        return false
    }

    /// - Throws: ``AnnotationError`` where there is none and has to be one.
    private func id(for message: CommitMessage, _ repository: Repository) throws(AnnotationError) -> String? {
        let branch = options.branch ?? repository.branch
        if let branch, let id = try pattern.ticket(in: branch) { return id }
        // Somebody knows better.
        if message.hasAnyTicket(options.form) { return nil }
        switch options.absence {
        case .omit: return nil
        case .placeholder(let text): return text
        case .abort:
            let found = branch.map { "'\($0)'" } ?? "a detached HEAD"
            throw AnnotationError(
                .noTicket, "expected a branch with a ticket that matches \(pattern.source), found \(found); \(advice)")
        }
    }

    private var advice: String {
        switch options.form {
        case .trailer(let key):
            "rename the branch ('git branch -m'), or name the ticket: git commit --trailer '\(key): …'"
        case .prefix: "rename the branch: 'git branch -m'"
        }
    }

    private func refuseComment(_ ticket: Ticket, _ message: CommitMessage) throws(AnnotationError) {
        guard ticket.form == .prefix, message.comments.areStripped, ticket.id.starts(with: message.comments.marker)
        else { return }
        throw AnnotationError(
            .usage,
            "expected a ticket that can stand at the start of a line, found '\(String(decoding: ticket.id, as: UTF8.self))', which is "
                + "a comment for git; leave that character out of the group, or use --trailer")
    }
}

/// `async let` knows no typed errors.
private func outcome<Success: Sendable>(
    _ body: () async throws(AnnotationError) -> Success
) async -> Result<Success, AnnotationError> {
    do {
        return .success(try await body())
    } catch {
        return .failure(error)
    }
}
