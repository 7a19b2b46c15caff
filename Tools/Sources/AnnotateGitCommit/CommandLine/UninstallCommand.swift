import ArgumentParser

struct UninstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall",
        abstract: "Take the hooks away again; those that were there before come back.")

    func run() async throws {
        Surroundings.write(try await HookFolder.current().uninstall())
    }
}
