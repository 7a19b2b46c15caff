/// One run as a hook, which annotates the message in a file.
struct Annotation {
    /// The git hook that runs.
    enum Hook: Equatable {
        /// Adds the ticket before the editor opens. git passes the source of the message, and a
        /// commit.
        case prepareCommitMessage(source: String?, commit: String?)
        /// Adds the ticket if the author removed it. Removes it if the message has nothing else, so
        /// that git refuses the message as empty.
        case commitMessage
    }

    /// A regular expression: see ``TicketPattern``.
    let regexp: String
    let options: TicketOptions
    let hook: Hook
    let file: String

    func run() async throws {
        let bytes = try Files.contents(of: file)
        let repository = try await Repository.current(around: file)
        let note = hook == .commitMessage ? try Note.take(from: repository) : nil
        // git replays commits, which keep their messages.
        guard !repository.isReplaying else { return try Note.forget(in: repository) }
        let isEdited = self.isEdited
        // Starting git takes as long as all the rest. It is useless if no line can be a comment.
        let needsSettings = note == nil && (isEdited == true || Self.mayHaveComments(bytes))
        async let settings = needsSettings ? MessageSettings.current() : MessageSettings()
        let mayAmendMerge = hook == .prepareCommitMessage(source: "commit", commit: "HEAD") && !includes(.merges)
        async let amendsMerge = mayAmendMerge ? Repository.headIsMerge() : note?.isMerge ?? false
        // This work runs while git answers.
        let search = try await TicketSearch(for: regexp, in: options.branch ?? repository.branch, options)
        let comments =
            if let note {
                note.comments
            } else {
                Comments(
                    of: bytes, marker: try await settings.marker, cleanup: try await settings.cleanup,
                    isEdited: isEdited)
            }
        let message = CommitMessage(bytes, comments, isForm: isForm)
        let isMerge = try await amendsMerge
        let ticket = isSkipped(message, repository, isMerge: isMerge) ? nil : try await search.ticket(for: message)
        let result = if let ticket { try annotated(message, ticket, search, note) } else { message }
        if case .prepareCommitMessage(let source, _) = hook {
            try Note(
                comments: comments, isMerge: isMerge, spared: ticket.map(result.others),
                template: source == "template" ? bytes : nil
            ).keep(in: repository)
        }
        if result != message { try Files.replace(file, with: result.bytes) }
    }

    private func annotated(
        _ message: CommitMessage, _ ticket: Ticket, _ search: TicketSearch, _ note: Note?
    ) throws(AnnotationError) -> CommitMessage {
        switch hook {
        case .prepareCommitMessage: try prepared(message, ticket, search)
        case .commitMessage: try finished(message, ticket, search, note)
        }
    }

    private func prepared(
        _ message: CommitMessage, _ ticket: Ticket, _ search: TicketSearch
    ) throws(AnnotationError) -> CommitMessage {
        // No editor will open for it, so git refuses the empty message as it is.
        guard message.comments.isEdited || !message.isEmpty else { return message }
        try refuseComment(ticket, message)
        return message.adding(ticket, insteadOf: search.placeholder)
    }

    private func finished(
        _ message: CommitMessage, _ ticket: Ticket, _ search: TicketSearch, _ note: Note?
    ) throws(AnnotationError) -> CommitMessage {
        func withoutTicket(_ message: CommitMessage) -> CommitMessage {
            guard message.comments.isEdited, let spared = note?.spared else { return message }
            return message.removing(ticket, sparing: spared)
        }
        let without = withoutTicket(message)
        if without.isEmpty {
            return message.comments.isVerbatim && without.bytes.allSatisfy(\.isSpace) ? message.with([]) : without
        }
        if let template = note?.template {
            let filled = CommitMessage(template, message.comments, isForm: true)
                .adding(ticket, insteadOf: search.placeholder)
            if without.isUntouched(withoutTicket(filled)) { return message.with(template) }
        }
        try refuseComment(ticket, message)
        return message.has(ticket) ? message : without.adding(ticket, insteadOf: search.placeholder)
    }

    /// Whether a person edits the message; nil if that is not known.
    ///
    /// git sets the editor `:` for hooks if it opens no editor, but a person may have set it too.
    private var isEdited: Bool? {
        if Surroundings.variable("GIT_EDITOR") != ":" { return true }
        switch hook {
        case .prepareCommitMessage(source: "message", _): return false
        case .prepareCommitMessage: return isForm ? true : nil
        case .commitMessage: return nil
        }
    }

    private static func mayHaveComments(_ message: [UInt8]) -> Bool {
        lineRanges(of: message).contains { line in
            !message[line.lowerBound].isLetterOrDigit && !message[line.lowerBound].isSpace
        }
    }

    private var isForm: Bool {
        switch hook {
        case .prepareCommitMessage(let source, _): source == nil || source == "template"
        case .commitMessage: false
        }
    }

    private func isSkipped(_ message: CommitMessage, _ repository: Repository, isMerge: Bool) -> Bool {
        if isMerge || repository.isMerging { return !includes(.merges) }
        if message.isFixup { return !includes(.fixups) }
        if message.isRevert || repository.isReverting { return !includes(.reverts) }
        return false
    }

    private func includes(_ kind: TicketOptions.Kind) -> Bool { options.include.contains(kind) }

    private func refuseComment(_ ticket: Ticket, _ message: CommitMessage) throws(AnnotationError) {
        guard ticket.form == .prefix, message.comments.areStripped, ticket.id.starts(with: message.comments.marker)
        else { return }
        throw AnnotationError(
            .usage,
            "expected a ticket that can start a line, found '\(String(decoding: ticket.id, as: UTF8.self))', whose "
                + "start makes the line a comment for git; leave the start out of the group, or use --trailer")
    }
}
