import Wharf

/// An edit while the service is dead, which survives a restart of the app and arrives when the
/// service is back.
struct Editing {
    let executable: String
    let log: String
    let address: String
    let cache: CacheLocation
    let data: String
    let show: @Sendable (String) -> Void

    /// A running app: its stack and repository, over files that survive it.
    private struct App {
        let stack: WharfStack
        let users: Repository<User>

        init(_ editing: Editing) async throws {
            stack = try await WharfStack.live(
                .init(
                    baseURL: editing.address, cache: editing.cache, data: .file(editing.data), retry: .never))
            users = stack.repository(at: "users", payload: UserPayload.self) {
                User($0)
            } payloadOf: {
                UserPayload($0)
            }
        }
    }

    /// Runs the steps, and returns the shown lines.
    func run() async throws -> [EditLine] {
        show("\n  Leanne moves to Berlin, and the service is still dead:\n")
        show(EditLine.header)
        let first = try await App(self)
        let user = try await first.users.get(id: 1, policy: .cacheFirst)
        var moved = user
        moved.city = "Berlin"
        try await first.users.edit(moved, basedOn: user)
        var lines = [await line("edited", first)]
        await first.stack.close()

        let second = try await App(self)
        lines.append(await line("app restarted", second))
        lines += try await OriginProcess.run(executable: executable, log: log, at: address) { origin in
            show("\n  The service is back as process \(origin.processID):\n")
            show(EditLine.header)
            _ = try await second.stack.outbox?.drain()
            return [await line("delivered", second), await line("asked again", second, .networkOnly)]
        }
        await second.stack.close()
        return lines
    }

    private func line(_ event: String, _ app: App, _ policy: ReadPolicy = .cacheOnly) async -> EditLine {
        let line = EditLine(event, await app.users.snapshot(id: 1, policy: policy))
        show(line.text)
        return line
    }
}
