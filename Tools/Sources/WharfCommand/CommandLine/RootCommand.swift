import ArgumentParser

struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wharf",
        abstract:
            "Read URLs without a network, simulate a bad one, inspect caches and outboxes, generate and check types.",
        discussion: HelpText.root,
        version: "wharf \(Version.number)",
        subcommands: [
            GetCommand.self, ServeCommand.self, CacheCommand.self, OutboxCommand.self, GenerateCommand.self,
            CheckCommand.self, GraphQLCommand.self, ManualCommand.self,
        ]
    )
}

enum Version {
    static let number = "0.1.0"
}
