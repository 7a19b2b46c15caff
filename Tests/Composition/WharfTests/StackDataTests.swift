import Foundation
import Synchronization
import Testing
import Wharf
import WharfChecks
import WharfFakes
import WharfJSON
import WharfStorage
import WharfTestServer

/// Stacks that own their data file: opened in one line, closed, and signed out.
struct StackDataTests {
    private struct Note: Codable, Sendable, Equatable, Identifiable {
        let id: Int
        var text: String
    }

    private static func configuration(
        _ folder: TemporaryFolder, _ url: String, _ account: String? = nil, log: IncidentLog = IncidentLog()
    ) -> WharfStack.Configuration {
        var configuration = WharfStack.Configuration(
            baseURL: url, account: account.map { Account($0) }, cache: .file(folder["cache.sqlite"]),
            data: .file(folder["data.sqlite"]), retry: .never)
        configuration.onIncident = log.handler
        return configuration
    }

    private static func notes(_ stack: WharfStack) -> Repository<Note> {
        stack.repository(at: "notes", payload: Note.self) {
            $0
        } payloadOf: {
            $0
        }
    }

    /// A service with one note, which can be switched off.
    private final class Service: Sendable {
        private let state = Mutex((text: "one", isUp: true))

        var text: String { state.withLock { $0.text } }
        func turn(up: Bool) { state.withLock { $0.isUp = up } }

        func serve(_ server: TestServer) {
            server.route(.get, "/notes/1") { [self] _ in answer { _ in } }
            server.route(.put, "/notes/1") { [self] request in
                let sent = try? CodableJSONDecoder().decode(Note.self, from: JSONBytes(request.body))
                return answer { $0 = sent?.text ?? $0 }
            }
        }

        private func answer(_ change: (inout String) -> Void) -> TestResponse {
            state.withLock { state in
                guard state.isUp else { return .raw([]) }
                change(&state.text)
                return .json(#"{"id": 1, "text": "\#(state.text)"}"#).etag("\"\(state.text)\"")
            }
        }
    }

    private static func run(
        _ body: (TemporaryFolder, TestServer, Service) async throws -> Void
    ) async throws {
        let service = Service()
        try await TemporaryFolder.run { folder in
            try await TestServer.run { server in
                service.serve(server)
                try await body(folder, server, service)
            }
        }
    }

    @Test func anEditWaitsForTheNextStartAndArrivesByItself() async throws {
        try await Self.run { folder, server, service in
            let log = IncidentLog()
            let first = try await WharfStack.live(Self.configuration(folder, server.baseURL, log: log))
            _ = try await Self.notes(first).get(id: 1)
            service.turn(up: false)
            try await Self.notes(first).edit(1) { $0.text = "edited" }
            await first.close()

            service.turn(up: true)
            let second = try await WharfStack.live(Self.configuration(folder, server.baseURL, log: log))
            let notes = Self.notes(second)
            #expect(await notes.snapshot(id: 1, policy: .cacheOnly).value?.text == "edited")
            try await waitUntil { try await notes.pending().isEmpty }
            #expect(service.text == "edited")
            await second.close()
            #expect(log.all.map(\.message) == [])
        }
    }

    @Test func copyOfAClosedDataFileIsComplete() async throws {
        try await Self.run { folder, server, service in
            let stack = try await WharfStack.live(Self.configuration(folder, server.baseURL))
            _ = try await Self.notes(stack).get(id: 1)
            service.turn(up: false)
            try await Self.notes(stack).edit(1) { $0.text = "edited" }
            await stack.close()
            try FileManager.default.copyItem(atPath: folder["data.sqlite"], toPath: folder["copy.sqlite"])
            var configuration = Self.configuration(folder, server.baseURL)
            configuration.data = .file(folder["copy.sqlite"])
            configuration.cache = .memory()
            let copy = try await WharfStack.live(configuration)
            let notes = Self.notes(copy)
            #expect(await notes.snapshot(id: 1, policy: .cacheOnly).value?.text == "edited")
            #expect(try await notes.pending().count == 1)
            await copy.close()
        }
    }

    @Test func aPurgeReachesModelsAndWaitingChangesOfTheAccountAlone() async throws {
        try await Self.run { folder, server, service in
            for account in ["ann", "bob"] {
                service.turn(up: true)
                let stack = try await WharfStack.live(Self.configuration(folder, server.baseURL, account))
                _ = try await Self.notes(stack).get(id: 1)
                service.turn(up: false)
                try await Self.notes(stack).edit(1) { $0.text = "secret of \(account)" }
                await stack.close()
            }
            let ann = try await WharfStack.live(Self.configuration(folder, server.baseURL, "ann"))
            // A stack that is closed or was purged can be purged.
            await ann.close()
            try await ann.signOut(.purge)
            try await ann.signOut(.purge)
            let bytes = Data(try folder.names.flatMap { try folder.bytes(of: $0) })
            #expect(bytes.range(of: Data("secret of ann".utf8)) == nil)
            let bob = try await WharfStack.live(Self.configuration(folder, server.baseURL, "bob"))
            #expect(await Self.notes(bob).snapshot(id: 1, policy: .cacheOnly).value?.text == "secret of bob")
            await bob.close()
        }
    }

    @Test func purgeReachesAnOutboxWithItsOwnStore() async throws {
        try await Self.run { folder, server, service in
            let account = Account("ann")
            let outbox = OutboxEngine(store: MemoryWriteStore(), account: account)
            var configuration = WharfStack.Configuration(
                baseURL: server.baseURL, account: account, cache: .memory(), entities: MemoryEntityStore(),
                retry: .never)
            configuration.outbox = outbox
            let stack = try await WharfStack.live(configuration)
            _ = try await Self.notes(stack).get(id: 1)
            try await Self.notes(stack).edit(1) { $0.text = "waits" }
            #expect(try await outbox.store.counts(of: account).pending.isEmpty == false)
            try await stack.signOut(.purge)
            #expect(try await outbox.store.counts(of: account).pending.isEmpty)
            await outbox.close()
        }
    }

    @Test func damagedDataFileThrowsAndStaysUnchanged() async throws {
        try await TemporaryFolder.run { folder in
            let path = folder["data.sqlite"]
            let damaged = Data(
                "this is no database, and longer than the head of one would be, which has 100 bytes".utf8)
            try damaged.write(to: URL(filePath: path))
            do throws(ReadFailure) {
                _ = try await WharfStack.live(Self.configuration(folder, "http://127.0.0.1:1"))
                Issue.record("expected that it is thrown")
            } catch {
                #expect(error.code == .storeFailed && error.cause is StoreError)
            }
            #expect(try Data(contentsOf: URL(filePath: path)) == damaged)
        }
    }

    @Test func dataFileTogetherWithAnEntityStoreIsRefused() async throws {
        try await TemporaryFolder.run { folder in
            var configuration = Self.configuration(folder, "http://127.0.0.1:1")
            configuration.entities = MemoryEntityStore()
            do throws(ReadFailure) {
                _ = try await WharfStack.live(configuration)
                Issue.record("expected that it is refused")
            } catch {
                #expect(error.code == .invalidRequest)
            }
            let names = try folder.names
            #expect(names.isEmpty)
        }
    }

    @Test func stackWithAFileExposesItsDataFileAndOutbox() async throws {
        try await Self.run { folder, server, _ in
            let stack = try await WharfStack.live(Self.configuration(folder, server.baseURL))
            #expect(stack.dataFile != nil && stack.outbox != nil)
            await stack.close()
            let memory = try await WharfStack.live(.init(baseURL: server.baseURL, cache: .memory()))
            #expect(memory.dataFile == nil && memory.outbox == nil)
            await memory.close()
        }
    }
}
