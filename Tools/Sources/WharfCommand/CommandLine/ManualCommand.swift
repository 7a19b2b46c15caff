import ArgumentParser

/// Writes the manual pages for `make install`. It is hidden; users have `--help`.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Print the manual page, as roff.", shouldDisplay: false)

    @Flag(
        name: .customLong("of-input"),
        help: "Print the page of another tool, whose output of --experimental-dump-help is on standard input.")
    var isOfInput = false

    func page(_ surroundings: Surroundings) throws -> ManualPage {
        try ManualPage(of: isOfInput ? surroundings.readInput() : ManualPage.ownDescription)
    }
}
