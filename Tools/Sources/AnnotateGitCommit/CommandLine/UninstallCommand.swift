import ArgumentParser

struct UninstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall",
        abstract: "Remove the hooks, and restore the hooks from before.")

    func run() async throws {
        Surroundings.write(try await HookFolder.current().uninstall())
    }
}
