import ArgumentParser

struct InstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Set up the hooks of the current repository.",
        discussion: """
            Writes the hooks prepare-commit-msg and commit-msg where git looks for them: in the folder that all \
            working trees of a repository share, or in core.hooksPath if it is set. Each working tree has its own \
            folder if core.hooksPath is relative. The hooks call this tool by its path. Run the command again to \
            change the options.
            """)

    @Option(
        name: .customLong("regexp"), parsing: .unconditional,
        help: "A regular expression with one capture group: the ticket.")
    var regexp = TicketPattern.standard

    @Flag(name: .customLong("force"), help: "Keep existing hooks under another name, and call them first.")
    var isForced = false

    @OptionGroup var options: TicketOptions

    func run() async throws {
        _ = try TicketPattern(regexp)
        let tool = try Surroundings.toolPath()
        let scripts = HookScript.Name.allCases.map { name in
            HookScript(name: name, tool: tool, options: options.arguments, pattern: regexp)
        }
        Surroundings.write(try await HookFolder.current().install(scripts, force: isForced))
    }
}
