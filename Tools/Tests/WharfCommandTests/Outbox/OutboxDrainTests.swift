import Foundation
import Testing
import Wharf
import WharfChecks
import WharfFakes
import WharfSQLite
import WharfStorage
import WharfTestServer

@testable import WharfCommand

struct OutboxDrainTests {
    private func key(_ request: TestRequest) -> String? {
        HTTPField.Name("Idempotency-Key").flatMap { request.fields[$0] }
    }

    @Test func selfContainedRequestsAreDelivered() async throws {
        try await TestServer.run { server in
            server.route(.post, "/notes", .status(.created))
            let file = try OutboxFile()
            let url = "\(server.baseURL)/notes?q=1"
            try await file.enqueue(
                file.request("a", url, lane: "one", fields: [.contentType: "text/plain"], body: "first"),
                file.request("b", url, lane: "one", body: "second"), file.request("c", url, of: "anna", body: "third"))
            let result = await file.run("drain")
            #expect(result.status == .delivered && result.error.isEmpty, "\(result.error)")
            #expect(result.text == "3 delivered; nothing is left\n")
            #expect(server.requests.map(\.text) == ["first", "second", "third"])
            #expect(server.requests.map(key) == ["\"a\"", "\"b\"", "\"c\""])
            #expect(server.requests[0].fields[.contentType] == "text/plain")
            #expect(server.requests.allSatisfy { $0.fields[.authorization] == nil })
            #expect(await file.run("drain").text == "0 delivered; nothing is left\n")
        }
    }

    @Test(arguments: [
        (HTTPResponse.Status.unauthorized, false), (.conflict, false), (.unprocessableContent, false),
        (.unauthorized, true), (.conflict, true), (.unprocessableContent, true),
    ])
    func refusedEntryIsLeftUnlessSetAside(status: HTTPResponse.Status, setsAside: Bool) async throws {
        try await TestServer.run { server in
            server.route(.post, "/notes", .text("no", status: status))
            let file = try OutboxFile()
            try await file.enqueue(file.request("a", "\(server.baseURL)/notes"))
            let result = setsAside ? await file.run("drain", "--set-aside") : await file.run("drain")
            #expect(result.status == .errorStatus)
            #expect(result.error.contains("api: ") && result.error.contains("status \(status.code)"), "\(result.error)")
            let isDead = setsAside && status != .unauthorized
            #expect(
                result.text
                    == "0 delivered, 1 refused\(isDead ? ", 1 set aside; left: 0 wait, 1 dead" : "; left: 1 wait")\n")
            let state = try await file.state("a")
            switch state {
            case .dead: #expect(isDead)
            // The refusal does not count among the app's attempts.
            case .pending(attempts: 0, let next, let failure):
                #expect(!isDead && next >= file.now + .seconds(60) && failure?.status == status.code)
            default: Issue.record("\(String(describing: state))")
            }
            let paused = try await file.app { try await $0.counts(of: nil).paused }
            #expect(paused.isEmpty, "no destination is paused")
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: [(HTTPResponse.Status.unauthorized, 1), (.forbidden, 1), (.serviceUnavailable, 2)])
    func refusalDoesNotCountAsAnAttempt(status: HTTPResponse.Status, attempts: Int) async throws {
        try await TestServer.run { server in
            server.route(.post, "/notes", .status(status))
            let file = try OutboxFile()
            try await file.enqueue(file.request("a", "\(server.baseURL)/notes"))
            try await file.settle("api", .retry(at: file.now, DeliveryFailure(.noAnswer, message: "cut off")))
            _ = await file.run("drain")
            guard case .pending(let counted, _, let failure) = try await file.state("a") else {
                Issue.record("it is not there")
                return
            }
            #expect(counted == attempts && failure?.status == status.code)
        }
    }

    @Test func exitStatusDependsOnTheEntriesLeft() {
        var result = DrainResult()
        result.refused = 1
        result.failed = 1
        #expect(result.status == .delivered)
        var counts = OutboxCounts()
        counts.pending[.init("api", kind: OutboxRequest.kind.name)] = 1
        result.add(counts, DeliveryFilter())
        #expect(result.status == .errorStatus)
        result.refused = 0
        #expect(result.status == .noAnswer)
        result.failed = 0
        #expect(result.status == .left)
    }

    @Test func unwritableResultIsNoSuccess() async throws {
        try await TestServer.run { server in
            server.route(.post, "/notes", .status(.created))
            let file = try OutboxFile()
            try await file.enqueue(file.request("a", "\(server.baseURL)/notes"))
            let result = await file.session.run(["outbox", "drain", "--db", file.path]) { _ in
                throw OutputFailure("standard output could not be written", errno: EPIPE)
            }
            #expect(result.status == .outputFailed && server.requests.count == 1)
            #expect(try await file.state("a") == nil)
        }
    }

    @Test func unreachableEntryWaits() async throws {
        let file = try OutboxFile()
        try await TestServer.run { server in
            try await file.enqueue(file.request("a", "\(server.baseURL)/notes"))
            server.route(.post, "/notes", .status(.serviceUnavailable))
            let result = await file.run("drain")
            #expect(result.status == .noAnswer)
            #expect(result.text == "0 delivered, 1 attempt failed; left: 1 wait\n")
            #expect(result.error.contains("api: unavailable: the receiver responded with status 503"))
            await server.stop()
        }
        try await file.enqueue(file.request("b", "http://127.0.0.1:1/notes", to: "other"))
        let result = await file.run("drain", "--destination", "other")
        #expect(result.status == .noAnswer && result.error.contains("other: offline: "), "\(result.error)")
        #expect(
            try await file.state("b", "other").map { if case .pending(attempts: 0, _, _) = $0 { true } else { false } }
                == true)
    }

    @Test func drainDeliversOnlySelectedEntries() async throws {
        try await TestServer.run { server in
            server.route(.post, "/notes", .status(.created))
            let file = try OutboxFile()
            let url = "\(server.baseURL)/notes"
            try await file.enqueue(
                file.request("a", url, to: "other", body: "a"), file.request("b", url, body: "b"),
                file.request("c", url, of: "anna", body: "c"))
            #expect(await file.run("drain", "--account", "anna").text == "1 delivered; nothing is left\n")
            #expect(await file.run("drain", "--destination", "other").text == "1 delivered; nothing is left\n")
            #expect(server.requests.map(\.text) == ["c", "a"])
            #expect(try await file.state("b") != nil)
        }
    }

    @Test func pausedDestinationIsReportedAndLeft() async throws {
        let file = try OutboxFile()
        try await file.enqueue(file.request("a", "http://127.0.0.1:1/", of: "anna"))
        try await file.app { store in
            var commit = Commit()
            commit.paused = [PausedDestination("api", of: Account("anna")): OutboxPause(since: file.now)]
            try await store.commit(commit)
        }
        let result = await file.run("drain")
        #expect(result.status == .left && result.text == "0 delivered; left: 1 wait\n")
        #expect(
            result.error == "skipped: api of the account anna is paused since 2001-09-09T01:46:40Z\n")
        let paused = try await file.json("drain").first?["paused"] as? [[String: Any]]
        #expect(paused?.first?["account"] as? String == "anna")
        #expect(paused?.first?["destination"] as? String == "api")
        #expect(paused?.first?["since"] as? String == "2001-09-09T01:46:40Z")
        #expect(paused?.first?["reason"] is NSNull)
    }

    @Test func drainJSONHasTheCounts() async throws {
        try await TestServer.run { server in
            server.route(.post, "/notes", inOrder: [.status(.created), .status(.badRequest)])
            let file = try OutboxFile()
            let url = "\(server.baseURL)/notes"
            try await file.enqueue(file.request("a", url, lane: "l"), file.request("b", url, lane: "l"), file.own("c"))
            let object = try #require(try await file.json("drain", "--set-aside").first)
            let expected: [String: Int] = [
                "delivered": 1, "failed": 0, "refused": 1, "setAside": 1, "pending": 1, "needApp": 1, "dead": 1,
            ]
            for (name, count) in expected { #expect(object[name] as? Int == count, "\(name)") }
            #expect(object["complete"] as? Bool == true)
            #expect(Set(object.keys) == Set(expected.keys).union(["complete", "paused"]))
        }
    }

    /// The tests' clock advances by a second with each reading.
    @Test func terminalShowsTheDrainProgress() async throws {
        try await TestServer.run { server in
            server.route(.post, "/notes", .status(.created))
            let file = try OutboxFile()
            let url = "\(server.baseURL)/notes"
            try await file.enqueue(file.request("a", url, lane: "l"), file.request("b", url, lane: "l"))
            let result = await file.run("drain", columns: 80)
            #expect(
                result.error == "\r1 of 2 delivered\u{1B}[K\r2 of 2 delivered\u{1B}[K\r\u{1B}[K", "\(result.error)")
        }
    }

    @Test func drainStopsAtItsTimeLimit() async throws {
        try await TestServer.run { server in
            server.route(.post, "/notes", .hanging)
            let file = try OutboxFile()
            try await file.enqueue(file.request("a", "\(server.baseURL)/notes"))
            // Two readings of the clock before the drain take two seconds.
            let result = await file.run("drain", "--within", "2.2")
            #expect(result.status == .noAnswer || result.status == .left)
            #expect(result.text.contains("not all due deliveries were attempted; left: 1 wait"), "\(result.text)")
            #expect(try await file.state("a") != nil)
        }
    }

    @Test func cancelledDrainReleasesItsLeases() async throws {
        try await TestServer.run { server in
            let gate = Gate()
            server.route(
                .post, "/notes", inOrder: [TestResponse(.created).held { await gate.pass() }, .status(.created)])
            let file = try OutboxFile()
            try await file.enqueue(file.request("a", "\(server.baseURL)/notes"), file.request("p", "path"))
            let draining = Task { await file.run("drain") }
            await gate.arrivals(1)
            draining.cancel()
            let result = await draining.value
            gate.open()
            #expect(result.status == .cancelled && result.output.isEmpty)
            #expect(result.error.hasPrefix("cancelled after 0 deliveries; requests in flight are sent again"))
            #expect(
                try await file.state("a").map { if case .pending(attempts: 0, _, _) = $0 { true } else { false } }
                    == true)
            #expect(await file.run("drain").text == "1 delivered; left: 1 wait, of which 1 needs the app\n")
            #expect(server.requests.map(key) == ["\"a\"", "\"a\""])
        }
    }
}
