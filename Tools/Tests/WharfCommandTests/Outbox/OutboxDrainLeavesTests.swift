import Foundation
import Testing
import Wharf
import WharfChecks
import WharfSQLite
import WharfStorage
import WharfTestServer

@testable import WharfCommand

/// The entries that `wharf outbox drain` leaves to the app.
struct OutboxDrainLeavesTests {
    /// They keep their place: entries behind them in the lane wait, and those in other lanes are
    /// sent.
    @Test func entryThatNeedsTheAppIsLeftInPlace() async throws {
        try await TestServer.run { server in
            server.route(.post, "/notes", .status(.created))
            let file = try OutboxFile()
            let url = "\(server.baseURL)/notes"
            var foreign = file.request("version", url)
            foreign.kind.version = 2
            try await file.enqueue(
                file.request("first", url, lane: "mixed", body: "first"), file.request("path", "notes", lane: "mixed"),
                file.request("behind", url, lane: "mixed"), file.own("own"), foreign,
                file.request("free", url, body: "free"))
            let result = await file.run("drain")
            #expect(result.status == .left && result.error.isEmpty, "\(result.error)")
            #expect(result.text == "2 delivered; left: 4 wait, of which 3 need the app\n")
            #expect(Set(server.requests.map(\.text)) == ["first", "free"])
            for id in ["path", "behind", "version"] {
                #expect(try await file.state(id) == .pending(attempts: 0, nextAttempt: file.now, nil), "\(id)")
            }
            // The leases were released, so the app gets the held entries at once.
            try await file.settle("api", .delivered)
            for id in ["path", "version"] { #expect(try await file.state(id) == nil) }
            let objects = try await file.json("drain")
            #expect(objects.first?["delivered"] as? Int == 1 && objects.first?["needApp"] as? Int == 1)
        }
    }

    /// Only the app reads ids from an answer.
    @Test func entryWithDependentsNeedsTheApp() async throws {
        try await TestServer.run { server in
            server.route(.post, "/notes", .status(.created))
            let file = try OutboxFile()
            let url = "\(server.baseURL)/notes"
            try await file.enqueue(
                file.request("before", url, lane: "l", body: "before"), file.request("note", url, lane: "l"),
                file.request("tag", url + "/tmp-1/tags", lane: "l", dependingOn: "note"))
            let result = await file.run("drain")
            #expect(result.text == "1 delivered; left: 2 wait, of which 1 needs the app\n", "\(result.text)")
            #expect(server.requests.map(\.text) == ["before"])
            #expect(try await file.state("note") == .pending(attempts: 0, nextAttempt: file.now, nil))
            #expect(try await file.json("ls").map { $0["needsApp"] as? Bool } == [true, false])
            let shown = await file.run("show", "note").text
            #expect(shown.contains("needs     the app: other entries depend on it, and may need its answer\n"))
            // The lease was released.
            try await file.settle("api", .delivered)
            #expect(await file.run("drain").status == .errorStatus, "nobody waits for the tag: there is no such path")
        }
    }

    @Test func entryWithUnresolvedIDsNeedsTheApp() async throws {
        try await TestServer.run { server in
            server.route(.post, "/notes", .status(.created))
            let file = try OutboxFile()
            let url = "\(server.baseURL)/notes"
            try await file.enqueue(
                file.request("note", url), file.request("tag", url, body: "tmp-1", dependingOn: "note"))
            try await file.app { store in
                let filter = LeaseRequest.DestinationFilter("api", kinds: [OutboxRequest.kind.name])
                let request = LeaseRequest(destinations: [filter], now: file.now)
                let lane = try #require(try await store.lease(request).lanes.first)
                let note = try #require(lane.deliveries.first)
                var commit = Commit()
                commit.settled = [
                    Settlement(note.id, under: lane.lease, .delivered, attempts: 1, attemptedAt: file.now)
                ]
                commit.assigned = [
                    IDAssignment(.init("note"), ids: ["tmp-1": "7"], dependents: [.init("tag")], owed: [.init("tag")])
                ]
                commit.released = [lane.lease]
                try await store.commit(commit)
            }
            let result = await file.run("drain")
            #expect(result.status == .left && result.text == "0 delivered; left: 1 wait, of which 1 needs the app\n")
            #expect(server.requests.isEmpty)
            #expect(try await file.state("tag") == .pending(attempts: 0, nextAttempt: file.now, nil))
        }
    }

    /// An entry behind one that is not due counts too.
    @Test func entriesThatNeedTheAppAreCounted() async throws {
        let file = try OutboxFile()
        try await file.enqueue(
            file.request("later", "https://a/", lane: "l"), file.request("path", "notes", lane: "l"))
        let failure = DeliveryFailure(.noAnswer, message: "cut off")
        try await file.settle("api", .retry(at: file.now + .seconds(100), failure))
        let result = await file.run("drain")
        #expect(result.status == .left && result.text == "0 delivered; left: 2 wait, of which 1 needs the app\n")
    }
}
