import Foundation
import Testing
import Wharf
import WharfChecks
import WharfFakes
import WharfSQLite
import WharfStorage
import WharfTestServer

/// `wharf outbox` of the built binary, as a child process.
@Suite(.serialized) struct OutboxProcessTests {
    private func key(_ request: TestRequest) -> String? {
        HTTPField.Name("Idempotency-Key").flatMap { request.fields[$0] }
    }

    /// The process uses the real time, so entries were enqueued in its past.
    @Test(arguments: [SIGINT, SIGTERM, SIGKILL])
    func aSignalInTheMiddleOfADeliveryLosesNothing(signal: Int32) async throws {
        try await TestServer.run { server in
            let gate = Gate()
            server.route(
                .post, "/notes", inOrder: [TestResponse(.created).held { await gate.pass() }, .status(.created)])
            let file = try OutboxFile()
            try await file.enqueue(file.request("a", "\(server.baseURL)/notes"))
            let child = Child(["outbox", "drain", "--db", file.path])
            await gate.arrivals(1)
            child.signal(signal)
            let ended = try await child.end()
            gate.open()
            if signal == SIGKILL {
                #expect(ended.wasSignalled)
                // The lease expires by itself, after a minute.
                #expect(try await file.state("a") == .pending(attempts: 0, nextAttempt: file.now, nil))
                return
            }
            #expect(!ended.wasSignalled && ended.status == 128 + signal)
            #expect(ended.output.isEmpty && ended.error.contains("cancelled after 0 deliveries"), "\(ended.error)")
            let again = try await Child.run(["outbox", "drain", "--db", file.path, "--json"])
            #expect(again.status == 0, "\(again.error)")
            #expect(String(decoding: again.output, as: UTF8.self).hasPrefix("{\"delivered\":1,"))
            #expect(server.requests.map(key) == ["\"a\"", "\"a\""])
        }
    }

    @Test func noProgressOrPromptAppearsWithoutATerminal() async throws {
        let file = try OutboxFile()
        try await file.enqueue(file.request("a", "http://127.0.0.1:1/"))
        let drained = try await Child.run(["outbox", "drain", "--db", file.path])
        #expect(drained.status == 7 && !drained.error.contains("\r"))
        let discarded = try await Child.run(["outbox", "discard", "a", "--db", file.path])
        #expect(discarded.status == 64 && discarded.output.isEmpty)
        let listed = try await Child.run(["outbox", "ls", "--db", file.path, "--json"])
        #expect(listed.status == 0 && String(decoding: listed.output, as: UTF8.self).hasPrefix("{\"id\":\"a\","))
    }

    @Test func closedPipeIsReportedByTheExitCode() async throws {
        let file = try OutboxFile()
        try await file.enqueue(file.request("a", "http://127.0.0.1:1/"))
        try await file.settle("api", .dead(.refused))
        let pipe = file.session.folder.path("pipe")
        // The reader is gone before the command starts.
        let result = try await Child.shell(
            """
            mkfifo '\(pipe)'; : < '\(pipe)' & exec 3> '\(pipe)'; wait
            "$WHARF" outbox retry --all --db '\(file.path)' --json >&3; echo "exit $?" >&2
            """)
        #expect(result.error.contains("exit 74"), "\(result.error)")
        if case .pending = try await file.state("a") {} else { Issue.record("it was not retried") }
    }

    @Test func closedOutputPipeEndsTheListQuietly() async throws {
        let file = try OutboxFile()
        try await file.app { store in
            let entries = (0..<5_000).map { file.own("\(10_000 + $0)", lane: "one") }
            try await store.commit(Commit(enqueued: entries))
        }
        let result = try await Child.shell(
            "{ \"$WHARF\" outbox ls --db '\(file.path)' --json; echo \"exit $?\" >&2; } | head -n 1")
        #expect(String(decoding: result.output, as: UTF8.self).hasPrefix("{\"id\":\"10000\","))
        #expect(result.error.contains("exit 0") && !result.error.lowercased().contains("pipe"), "\(result.error)")
    }
}
