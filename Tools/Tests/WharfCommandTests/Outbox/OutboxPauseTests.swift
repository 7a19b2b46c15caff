import Foundation
import Testing
import Wharf
import WharfChecks
import WharfFakes
import WharfSQLite
import WharfStorage
import WharfTestServer

@testable import WharfCommand

struct OutboxPauseTests {
    private let anna = Account("anna")

    private func paused(_ file: OutboxFile, of account: Account? = nil) async throws -> [String: OutboxPause] {
        try await file.app { try await $0.counts(of: account).paused }
    }

    @Test func nothingIsSentToAPausedDestinationUntilItIsResumed() async throws {
        try await TestServer.run { server in
            server.route(.post, "/notes", .status(.created))
            let file = try OutboxFile()
            let url = "\(server.baseURL)/notes"
            try await file.enqueue(
                file.request("a", url, lane: "l", body: "a"), file.request("b", url, lane: "l", body: "b"),
                file.request("c", url, to: "mail", body: "c"))
            let result = await file.run("pause", "--destination", "api", "--because", "the service moves")
            #expect(result.status == .delivered && result.text == "paused api\n" && result.error.isEmpty)
            #expect(try await paused(file) == ["api": OutboxPause(since: file.now, reason: "the service moves")])
            let drained = await file.run("drain")
            #expect(drained.status == .left && drained.text == "1 delivered; left: 2 wait\n", "\(drained.text)")
            #expect(
                drained.error == "skipped: api is paused since 2001-09-09T01:46:40Z: the service moves\n",
                "\(drained.error)")
            #expect(await file.run("resume", "--destination", "api").text == "resumed api\n")
            #expect(await file.run("drain").text == "2 delivered; nothing is left\n")
            #expect(server.requests.map(\.text) == ["c", "a", "b"])
        }
    }

    @Test func pauseAppliesToEveryAccountUnlessOneIsNamed() async throws {
        let file = try OutboxFile()
        try await file.enqueue(
            file.request("a", "https://a/1"), file.request("b", "https://a/2", of: "anna"),
            file.request("c", "https://a/3", of: "anna", to: "mail"))
        #expect(
            await file.run("pause", "--destination", "api", "--account", "anna").text
                == "paused api of the account anna\n")
        #expect(try await paused(file).isEmpty)
        #expect(try await Set(paused(file, of: anna).keys) == ["api"])
        #expect(
            await file.run("pause", "--all").text
                == "paused api\npaused api of the account anna\npaused mail of the account anna\n")
        #expect(
            await file.run("resume", "--destination", "api").text == "resumed api\nresumed api of the account anna\n")
        #expect(try await Set(paused(file, of: anna).keys) == ["mail"])
        #expect(await file.run("resume", "--all").text == "resumed mail of the account anna\n")
        #expect(try await paused(file, of: anna).isEmpty)
    }

    @Test func aSecondPauseKeepsTheTimeAndTheReasonOfTheFirst() async throws {
        let file = try OutboxFile()
        try await file.enqueue(file.own("a"))
        let first = file.now
        _ = await file.run("pause", "--all", "--because", "why")
        file.session.clock.advance(by: .seconds(60))
        #expect(await file.run("pause", "--destination", "notes").status == .delivered)
        #expect(try await paused(file) == ["notes": OutboxPause(since: first, reason: "why")])
    }

    @Test func aDestinationThatIsNotKnownChangesNothing() async throws {
        let file = try OutboxFile()
        try await file.enqueue(file.request("a", "https://a/1"), file.own("b"))
        let unknown = await file.run("pause", "--destination", "ap")
        #expect(unknown.status == .notDone && unknown.output.isEmpty)
        #expect(unknown.line == "expected a destination of \(file.path), found 'ap'; try api, notes")
        let notPaused = await file.run("resume", "--destination", "api")
        #expect(notPaused.status == .notDone && notPaused.output.isEmpty)
        #expect(notPaused.line == "expected a paused destination of \(file.path), found 'api'; nothing is paused")
        let none = await file.run("resume", "--all")
        #expect(none.status == .delivered && none.line.hasPrefix("nothing is paused in \(file.path)"))
        #expect(try await paused(file).isEmpty)
    }

    @Test func pauseAndResumeAreReportedAsJSON() async throws {
        let file = try OutboxFile()
        try await file.enqueue(file.request("a", "https://a/1", of: "anna"))
        let pause = try #require(try await file.json("pause", "--all", "--because", "why").first)
        #expect(pause["account"] as? String == "anna" && pause["destination"] as? String == "api")
        #expect(pause["done"] as? String == "paused" && pause["reason"] as? String == "why")
        #expect(pause["since"] as? String == "2001-09-09T01:46:40Z")
        let resume = try #require(try await file.json("resume", "--all").first)
        #expect(resume["done"] as? String == "resumed" && Set(resume.keys) == ["account", "destination", "done"])
    }

    @Test func showListsThePausedDestinationsOfAnEntry() async throws {
        let file = try OutboxFile()
        var entry = file.own("a")
        entry.targets = .all("notes", "mail")
        try await file.enqueue(entry)
        _ = await file.run("pause", "--destination", "mail", "--because", "why")
        let text = await file.run("show", "a").text
        #expect(text.contains("paused    mail since 2001-09-09T01:46:40Z: why\n"), "\(text)")
        #expect(text.contains("to notes: pending, next now\nto mail: paused\n"), "\(text)")
        let object = try #require(try await file.json("show", "a").first)
        let pauses = try #require(object["paused"] as? [[String: Any]])
        #expect(pauses.count == 1 && pauses[0]["destination"] as? String == "mail")
        #expect(pauses[0]["reason"] as? String == "why")
    }
}
