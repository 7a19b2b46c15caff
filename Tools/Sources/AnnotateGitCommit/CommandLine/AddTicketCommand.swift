import ArgumentParser

struct AddTicketCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        // With a supercommand set, ArgumentParser does not look for completion scripts: see
        // `Program`.
        commandName: "add-ticket", _superCommandName: "annotate-git-commit",
        abstract: "Write the branch's ticket into a commit message.",
        discussion: """
            The hooks call this command. To call it in your own prepare-commit-msg hook:

              annotate-git-commit add-ticket '\(TicketPattern.standard)' "$@"

            This hook alone can't stop a commit without a message, because the ticket makes the message non-empty for \
            git. So 'install' also sets up a commit-msg hook, which removes such a ticket and restores a deleted ticket:

              annotate-git-commit add-ticket --commit-msg '\(TicketPattern.standard)' "$@"
            """)

    @Argument(help: "A regular expression with one capture group: the ticket.")
    var regexp: String

    @Argument(help: "The file with the message, as git passes it.")
    var file: String

    @Argument(help: "The source of the message, as git passes it: message, template, merge, squash or commit.")
    var source: String?

    @Argument(help: "The commit that the message comes from.")
    var sha: String?

    @Flag(name: .customLong("commit-msg"), help: "Run as a commit-msg hook: the message is complete.")
    var isCommitMessage = false

    @OptionGroup var options: TicketOptions

    func run() async throws {
        try await Annotation(
            regexp: regexp, options: options,
            hook: isCommitMessage ? .commitMessage : .prepareCommitMessage(source: source, commit: sha), file: file
        ).run()
    }
}
