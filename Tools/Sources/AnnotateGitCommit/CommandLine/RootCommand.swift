import ArgumentParser

struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "annotate-git-commit",
        abstract: "Writes the ticket that a branch is named after into its commit messages.",
        discussion: """
            On a branch feature/ABC-123-search each commit gets a last line Ticket: ABC-123. In a repository of yours, once:

              annotate-git-commit install

            A ticket is what the one capture group of a regular expression takes of the branch's name; by default \
            \(TicketPattern.standard). The dialect is that of Swift's Regex: nearly all of PCRE, without lookbehind.

            Messages stay as they are in rebases and cherry-picks, and in merges, fixups (fixup!, squash!, amend!) and reverts unless \
            --include says otherwise.

            Exit status: 0 done; 1 no ticket where one has to be, or a hook of somebody else's in the way; 64 wrong usage, also a wrong \
            regular expression; 66 a file can't be read; 69 git can't be run or fails; 73 a file can't be written.
            """,
        subcommands: [InstallCommand.self, UninstallCommand.self, TestRegexpCommand.self, AddTicketCommand.self]
    )
}
