import ArgumentParser

struct UninstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall",
        abstract: "Remove the hooks of this tool, and restore the hooks that it kept.")

    func run() async throws {
        Surroundings.write(try await HookFolder.current().uninstall())
    }
}
