/// Finds the ticket for a message: that of the branch, or the one that the options give.
struct TicketSearch {
    private let pattern: TicketPattern
    private let branch: String?
    private let found: String?
    private let options: TicketOptions
    /// The placeholder that the branch's ticket replaces.
    private(set) var placeholder: Ticket?

    init(for regexp: String, in branch: String?, _ options: TicketOptions) async throws(AnnotationError) {
        pattern = try TicketPattern(regexp)
        self.branch = branch
        self.options = options
        found = try branch.flatMap(pattern.ticket)
        if case .placeholder(let text) = options.absence {
            placeholder = Ticket(options.form, id: try await Encoding.encoded(text))
        }
    }

    /// - Throws: ``AnnotationError`` if there is no ticket although one is required.
    func ticket(for message: CommitMessage) async throws(AnnotationError) -> Ticket? {
        if let found { return Ticket(options.form, id: try await Encoding.encoded(found)) }
        if isNamed(in: message) { return nil }
        guard options.absence == .abort else { return placeholder }
        let place = branch.map { "'\($0)'" } ?? "a detached HEAD"
        throw AnnotationError(
            .noTicket, "expected a branch with a ticket that matches \(pattern.source), found \(place); \(advice)")
    }

    /// Returns whether the author has named a ticket.
    ///
    /// In a trailer of the same key any text counts; before the subject only a text that the
    /// expression matches.
    private func isNamed(in message: CommitMessage) -> Bool {
        message.names(as: options.form).contains { name in
            guard options.form == .prefix else { return !name.elementsEqual(placeholder?.id ?? []) }
            let name = String(decoding: name, as: UTF8.self)
            return (try? pattern.ticket(in: name)) == name
        }
    }

    private var advice: String {
        switch options.form {
        case .trailer(let key):
            "rename the branch ('git branch -m'), or name the ticket: git commit --trailer '\(key): …'"
        case .prefix: "rename the branch ('git branch -m'), or name the ticket before the subject"
        }
    }
}
