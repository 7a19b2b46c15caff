/// One run as a hook: what becomes of the message in a file.
struct Annotation {
    /// Which of git's two hooks it is.
    enum Hook {
        /// Shows the ticket before the editor opens. git says where the message comes from.
        case prepareCommitMessage(source: String?)
        /// Sees to it that the ticket is there in the end, and to it that nothing but a ticket is refused by git, as what is empty.
        case commitMessage
    }

    /// A regular expression: see ``TicketPattern``.
    let regexp: String
    let options: TicketOptions
    let hook: Hook
    let file: String

    func run() async throws {
        let bytes = try Files.contents(of: file)
        // So git tells hooks that it opens no editor.
        let isEdited = Surroundings.variable("GIT_EDITOR") != ":"
        // A process of git takes as long as all the rest, and tells nothing where nothing can be a comment.
        let needsSettings = isEdited || Self.mayHaveComments(bytes)
        async let settings = needsSettings ? MessageSettings.current() : MessageSettings()
        // What is done while git answers.
        let pattern = try TicketPattern(regexp)
        let repository = try await Repository.current(around: file)
        let branch = options.branch ?? repository.branch
        let search = Search(branch: branch, ticket: try branch.flatMap(pattern.ticket(in:)))
        let comments = Comments(
            of: bytes, marker: try await settings.marker, cleanup: try await settings.cleanup, isEdited: isEdited)
        let result = try await annotated(CommitMessage(bytes, comments), repository, search)
        if result != bytes { try Files.replace(file, with: result) }
    }

    /// What came of looking for a ticket.
    private struct Search {
        let branch: String?
        let ticket: String?
    }

    private static func mayHaveComments(_ message: [UInt8]) -> Bool {
        lineRanges(of: message).contains { line in
            !message[line.lowerBound].isLetterOrDigit && !message[line.lowerBound].isSpace
        }
    }

    private func annotated(
        _ message: CommitMessage, _ repository: Repository, _ search: Search
    ) async throws(AnnotationError) -> [UInt8] {
        let template = Template(in: repository)
        switch hook {
        case .prepareCommitMessage(source: "template"): try template.keep(message)
        case .prepareCommitMessage: try template.forget()
        case .commitMessage: break
        }
        guard !isSkipped(message, repository), let ticket = try await ticket(for: message, search) else {
            return message.bytes
        }
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
        if repository.isMerging { return !options.include.contains(.merges) }
        if message.isFixup { return !options.include.contains(.fixups) }
        // git names a merge as the source of these, too, when they are edited.
        if message.isRevert || repository.isReverting { return !options.include.contains(.reverts) }
        if case .prepareCommitMessage(source: "merge") = hook { return !options.include.contains(.merges) }
        return false
    }

    /// - Throws: ``AnnotationError`` where there is none and has to be one.
    private func ticket(for message: CommitMessage, _ search: Search) async throws(AnnotationError) -> Ticket? {
        if let id = search.ticket { return try await encoded(id) }
        switch options.absence {
        case .omit: return nil
        case .placeholder(let text):
            let placeholder = try await encoded(text)
            return message.hasAnother(than: placeholder, as: options.form) ? nil : placeholder
        case .abort:
            if message.hasAnother(than: nil, as: options.form) { return nil }
            let found = search.branch.map { "'\($0)'" } ?? "a detached HEAD"
            throw AnnotationError(
                .noTicket, "expected a branch with a ticket that matches \(regexp), found \(found); \(advice)")
        }
    }

    private func encoded(_ id: String) async throws(AnnotationError) -> Ticket {
        Ticket(options.form, id: try await Encoding.encoded(id))
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
