import ArgumentParser

struct AddTicketCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        // With a supercommand set, ArgumentParser does not look for completion scripts: see
        // `Program`.
        commandName: "add-ticket", _superCommandName: "annotate-git-commit",
        abstract: "Write the branch's ticket into a commit message.",
        discussion: """
            What the hooks call. In a prepare-commit-msg hook of your own:

              annotate-git-commit add-ticket '\(TicketPattern.standard)' "$@"

            Alone it can't let the commit fail that nobody wrote a message for: with the ticket the message is not empty for git. So \
            'install' sets up a commit-msg hook, too, which takes such a ticket out again, and puts back one that was deleted:

              annotate-git-commit add-ticket --commit-msg '\(TicketPattern.standard)' "$@"
            """)

    @Argument(help: "A regular expression with one capture group: the ticket.")
    var regexp: String

    @Argument(help: "The file with the message, as git names it.")
    var file: String

    @Argument(help: "Where the message comes from, as git says it: message, template, merge, squash or commit.")
    var source: String?

    @Argument(help: "The commit that the message comes from.")
    var sha: String?

    @Flag(name: .customLong("commit-msg"), help: "Be a commit-msg hook: the message is done.")
    var isCommitMessage = false

    @OptionGroup var options: TicketOptions

    func run() async throws {
        try await Annotation(
            regexp: regexp, options: options,
            hook: isCommitMessage ? .commitMessage : .prepareCommitMessage(source: source, commit: sha), file: file
        ).run()
    }
}
