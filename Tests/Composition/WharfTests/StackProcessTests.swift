import Foundation
import Testing
import Wharf
import WharfChecks
import WharfFakes
import WharfKillHarness
import WharfTestServer

/// An app and its extension: two processes, each with a stack over one data file.
struct StackProcessTests {
    private struct Note: Codable, Equatable, Identifiable, Sendable {
        let id: Int
        var title: String
    }

    @Test func anExtensionReadsAndEnqueuesAndTheAppShowsAndDelivers() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "wharf-stack-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
        try await TestServer.run { server in
            server.route(.get, "/notes/:id", .json(#"{"id": 1, "title": "milk"}"#).etag("\"1\""))
            server.route(.put, "/notes/:id", .status(503))
            var configuration = WharfStack.Configuration(
                baseURL: server.baseURL, account: Account("ann"), cache: .memory(), retry: .never)
            configuration.data = .file(folder + "/data.sqlite")
            let app = try await WharfStack.live(configuration)
            let notes = app.repository(EntityKind<Note>("note", codec: .json), at: "notes")
            _ = try await notes.get(id: 1)

            let harness = KillHarness(
                executable: try builtExecutable(named: "StackProbe"),
                arguments: [folder + "/data.sqlite", server.baseURL])
            let run = try await harness.run(killing: .never)
            #expect(run.exitCode == 0, "\(run.standardError)")
            #expect(run.lines == ["read milk", "edited"])

            // The edit is pending in the file, and the app shows it.
            for await snapshot in notes.observe(id: 1, policy: .cacheOnly)
            where snapshot.value?.title == "milk and bread" {
                #expect(snapshot.kept?.isPending == true)
                break
            }
            server.route(.put, "/notes/:id") { .json(String(decoding: $0.body, as: UTF8.self)).etag("\"2\"") }
            _ = try await app.outbox?.drain()
            for await pending in notes.observePending() where pending.isEmpty { break }
            let sent = try #require(server.requests.last { $0.method == .put })
            #expect(String(decoding: sent.body, as: UTF8.self).contains("milk and bread"))
            #expect(sent.fields[.ifMatch] == "\"1\"")
            await app.close()
        }
    }
}
