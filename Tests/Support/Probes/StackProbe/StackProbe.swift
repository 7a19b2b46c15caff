import Wharf
import WharfKillHarness

/// An extension of an app: a second process with a stack over the app's data file.
///
/// `StackProbe FILE BASE-URL` reads note 1 from the file and prints `read TITLE`. It adds " and
/// bread" to the title and prints `edited`. Then it ends, whether the edit has arrived or not.
@main enum StackProbe {
    struct Note: Codable, Sendable, Identifiable {
        let id: Int
        var title: String
    }

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 2 else { ProbeProcess.end(64, "usage: StackProbe FILE BASE-URL") }
        do {
            var configuration = WharfStack.Configuration(
                baseURL: arguments[1], account: Account("ann"), cache: .memory(), retry: .never)
            configuration.data = .file(arguments[0])
            let stack = try await WharfStack.live(configuration)
            let notes = stack.repository(EntityKind<Note>("note", codec: .json), at: "notes")
            ProbeProcess.say("read \(try await notes.get(id: 1, policy: .cacheOnly).title)")
            try await notes.edit(1) { $0.title += " and bread" }
            ProbeProcess.say("edited")
            await stack.close()
        } catch {
            ProbeProcess.end(1, "\(error)")
        }
    }
}
