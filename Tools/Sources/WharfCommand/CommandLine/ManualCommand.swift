import ArgumentParser

/// Writes the manual page that `make install` puts in its place. People have `--help`.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Print the manual page, as roff.", shouldDisplay: false)
}
