import Foundation
import Testing
import Wharf
import WharfChecks
import WharfSQLite
import WharfStorage

@testable import WharfCommand

struct OutboxListTests {
    @Test func emptyOutboxIsReported() async throws {
        let file = try OutboxFile()
        try await file.enqueue()
        let result = await file.run("ls")
        #expect(result.status == .delivered && result.output.isEmpty)
        #expect(result.line == "nothing waits in \(file.path)")
        #expect(await file.run("ls", "--json").output.isEmpty)
    }

    /// Entries in each state: dead, due later, dependent on another, and to a paused destination.
    ///
    /// Two more need the app: one has a kind that only the app knows, and one a relative target.
    private func filled() async throws -> OutboxFile {
        let file = try OutboxFile()
        try await file.enqueue(file.request("dead", "https://a/1"))
        try await file.settle("api", .dead(.refused))
        try await file.enqueue(file.request("later", "https://a/2", lane: "notes"))
        let offline = DeliveryFailure(.noAnswer, message: "cut off")
        try await file.settle("api", .retry(at: file.now + .seconds(192), offline))
        try await file.enqueue(
            file.request("after", "https://a/3", to: "other", dependingOn: "later"), file.own("own"),
            file.request("path", "notes/4", to: "third"), file.request("anna", "https://a/5", of: "anna"))
        try await file.app { store in
            var commit = Commit()
            let place = PausedDestination("api", of: Account("anna"))
            commit.paused = [place: OutboxPause(since: file.now, reason: "the service moves")]
            try await store.commit(commit)
        }
        return file
    }

    @Test func deliveriesAreListedInCommitOrder() async throws {
        let result = await (try filled()).run("ls")
        #expect(result.status == .delivered)
        #expect(
            result.text == """
                ID     STATE    DESTINATION  ACCOUNT  LANE   KIND          ATTEMPTS  NEXT           REMARKS
                dead   dead     api          -        dead   http.request  1         -              rejected: no such note
                later  pending  api          -        notes  http.request  1         in 3 min 12 s  needs the app; noAnswer: cut off
                after  waiting  other        -        after  http.request  0         -
                own    pending  notes        -        own    note.edit     0         now            needs the app
                path   pending  third        -        path   http.request  0         now            needs the app
                anna   paused   api          anna     anna   http.request  0         -

                """, "\(result.text)")
        #expect(
            result.error.hasSuffix(
                """
                : 3 pending, 1 waiting, 1 paused, 1 dead
                api of the account anna is paused since 2001-09-09T01:46:40Z: the service moves

                """), "\(result.error)")
    }

    @Test func jsonListsTheSameDeliveries() async throws {
        let file = try await filled()
        let objects = try await file.json("ls")
        #expect(objects.map { $0["id"] as? String } == ["dead", "later", "after", "own", "path", "anna"])
        #expect(
            objects.map { $0["state"] as? String } == ["dead", "pending", "waiting", "pending", "pending", "paused"])
        #expect(objects.map { $0["needsApp"] as? Bool } == [false, true, false, true, true, false])
        let names: Set = [
            "id", "account", "lane", "kind", "version", "enqueuedAt", "destination", "state", "attempts", "nextAttempt",
            "needsApp", "error",
        ]
        for object in objects { #expect(Set(object.keys) == names) }
        #expect(objects[0]["account"] is NSNull && objects[5]["account"] as? String == "anna")
        #expect(objects[1]["enqueuedAt"] as? String == "2001-09-09T01:46:40Z")
        #expect(objects[1]["nextAttempt"] as? String == "2001-09-09T01:49:52Z")
        #expect(objects[3]["version"] as? Int == 3 && objects[1]["attempts"] as? Int == 1)
        let error = try #require(objects[0]["error"] as? [String: Any])
        #expect(error["code"] as? String == "rejected" && error["status"] as? Int == 422)
    }

    @Test(arguments: [
        (["--state", "dead"], ["dead"]), (["--state", "waiting", "--state", "paused"], ["after", "anna"]),
        (["--destination", "api"], ["dead", "later", "anna"]), (["--kind", "note.edit"], ["own"]),
        (["--account", "anna"], ["anna"]), (["--account", "bob"], []),
        (["--destination", "api", "--state", "pending"], ["later"]),
    ])
    func listIsFilteredByTheOptions(options: [String], ids: [String]) async throws {
        let file = try await filled()
        let result = await file.session.run(["outbox", "ls", "--db", file.path, "--json"] + options)
        let found = try result.text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["id"] as? String
        }
        #expect(found == ids)
    }

    @Test func controlCharactersInEntriesAreEscaped() async throws {
        let file = try OutboxFile()
        try await file.enqueue(file.own("a", lane: "\u{1B}[2J\nlane\u{202E}"))
        let result = await file.run("ls")
        #expect(!result.text.contains("\u{1B}") && !result.text.contains("\u{202E}"))
        #expect(result.text.contains("\\u{1b}[2J lane\\u{202e}"))
    }

    /// More entries than fit on a page.
    @Test func listContinuesBeyondOnePage() async throws {
        let file = try OutboxFile()
        let ids = (0..<450).map { "\(1000 + $0)" }
        try await file.app { store in try await store.commit(Commit(enqueued: ids.map { file.own($0, lane: "one") })) }
        #expect(try await file.json("ls").map { $0["id"] as? String } == ids)
        #expect(await file.run("ls").text.split(separator: "\n").count == 451)
    }
}
