import ArgumentParser

struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wharf",
        abstract: "Reads that still answer when the network is gone, and say how old the answer is and why.",
        discussion: HelpText.root,
        version: "wharf \(Version.number)",
        subcommands: [
            GetCommand.self, ServeCommand.self, OutboxCommand.self, GenerateCommand.self, CheckCommand.self,
            GraphQLCommand.self, ManualCommand.self,
        ]
    )
}

enum Version {
    static let number = "0.1.0"
}
