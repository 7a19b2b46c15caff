import ArgumentParser

struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "annotate-git-commit",
        abstract: "Writes the ticket in a branch's name into the messages of its commits.",
        discussion: """
            On a branch feature/ABC-123-search each commit gets a last line Ticket: ABC-123. Run once in your \
            repository:

              annotate-git-commit install

            The ticket is the part of the branch's name that the one capture group of a regular expression matches; \
            by default \(TicketPattern.standard). The dialect is that of Swift's Regex: nearly all of PCRE, without \
            lookbehind.

            Rebases and cherry-picks keep their messages; so do merges, fixups (fixup!, squash!, amend!) and reverts, \
            unless --include names them.

            Exit status: 0 done; 1 a required ticket is missing, or a hook of another program is in the way; 64 wrong \
            usage, or an invalid regular expression; 66 a file can't be read; 69 git can't be run or fails; 73 a file \
            can't be written.
            """,
        subcommands: [InstallCommand.self, UninstallCommand.self, TestRegexpCommand.self, AddTicketCommand.self]
    )
}
