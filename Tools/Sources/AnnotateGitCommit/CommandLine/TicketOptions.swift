import ArgumentParser

/// The form of a ticket in a message, and the behaviour without a ticket.
struct TicketOptions: ParsableArguments {
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case merges, fixups, reverts
    }

    enum Absence: Equatable {
        case omit, abort
        case placeholder(String)
    }

    @Option(
        name: .customLong("trailer"),
        help: ArgumentHelp("Write the ticket as a trailer KEY: ID. (default: Ticket)", valueName: "key"))
    var trailerKey: String?

    @Flag(name: .customLong("prefix"), help: "Write the ticket before the subject, as ID: SUBJECT.")
    var isPrefix = false

    @Flag(name: .customLong("omit"), help: "If the branch has no ticket, leave the message unchanged. (default)")
    var isOmitted = false

    @Option(
        name: .customLong("placeholder"),
        help: ArgumentHelp("If the branch has no ticket, write TEXT.", valueName: "text"))
    var placeholder: String?

    @Flag(name: .customLong("abort"), help: "If the branch has no ticket, let the commit fail.")
    var isAborted = false

    @Option(
        name: .customLong("include"),
        help: ArgumentHelp("Write tickets into merges, fixups or reverts too; may be repeated.", valueName: "kind"))
    var include: [Kind] = []

    @Option(
        name: .customLong("branch"),
        help: ArgumentHelp("Look for the ticket in NAME instead of the current branch.", valueName: "name"))
    var branch: String?

    var form: Ticket.Form { isPrefix ? .prefix : .trailer(key: trailerKey ?? "Ticket") }

    var absence: Absence {
        if let placeholder { return .placeholder(placeholder) }
        return isAborted ? .abort : .omit
    }

    func validate() throws {
        if isPrefix && trailerKey != nil {
            throw ValidationError("expected one of --trailer and --prefix, found both; leave one out.")
        }
        if isPrefix && include.contains(.fixups) {
            throw ValidationError(
                "expected --include fixups with a trailer, found it with --prefix, which hides fixups from "
                    + "'git rebase --autosquash'; leave one out.")
        }
        if [isOmitted, placeholder != nil, isAborted].count(where: { $0 }) > 1 {
            throw ValidationError(
                "expected one of --omit, --placeholder and --abort, found several; leave all but one out.")
        }
        if let key = trailerKey, key.isEmpty || !key.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == .hyphen }) {
            throw ValidationError("expected letters, digits and hyphens as the key of a trailer, found '\(key)'.")
        }
        if let placeholder,
            placeholder.isEmpty || placeholder.contains(where: \.isNewline) || placeholder.first == " "
                || placeholder.last == " "
        {
            throw ValidationError(
                "expected one line of text, without spaces around it, as the placeholder, found '\(placeholder)'.")
        }
    }

    /// The arguments that give the same options again.
    var arguments: [String] {
        var arguments: [String] = []
        if let trailerKey { arguments.append("--trailer=" + trailerKey) }
        if isPrefix { arguments.append("--prefix") }
        if isOmitted { arguments.append("--omit") }
        if let placeholder { arguments.append("--placeholder=" + placeholder) }
        if isAborted { arguments.append("--abort") }
        for kind in include { arguments += ["--include", kind.rawValue] }
        if let branch { arguments.append("--branch=" + branch) }
        return arguments
    }
}
