import ArgumentParser

struct TestRegexpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test-regexp",
        abstract: "Show which ticket a regular expression finds in a branch's name.",
        discussion: """
            For example:

              annotate-git-commit test-regexp '([A-Z]+-[0-9]+)' ABC-123-search

            Put -- before an expression that begins with a hyphen. The exit status is 1 if the expression finds no \
            ticket, and 64 if it is not a regular expression with one capture group.
            """)

    @Argument(help: "A regular expression with one capture group: the ticket.")
    var regexp: String

    @Argument(help: "The name of a branch.")
    var branch: String

    func run() throws {
        guard let ticket = try TicketPattern(regexp).ticket(in: branch) else {
            throw AnnotationError(.noTicket, "expected a ticket in '\(branch)', found none that matches \(regexp)")
        }
        Surroundings.write(ticket)
    }
}
