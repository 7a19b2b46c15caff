import Foundation
import Testing
import Wharf
import WharfChecks
import WharfSQLite
import WharfStorage

@testable import WharfCommand

/// `wharf outbox retry` and `discard`.
struct OutboxChoiceTests {
    /// Two dead entries, one of them also to another destination, and one that waits.
    private func filled() async throws -> OutboxFile {
        let file = try OutboxFile()
        var both = file.own("both")
        both.targets = .all("api", "notes")
        try await file.enqueue(file.request("one", "https://a/1"), both)
        try await file.settle("api", .dead(.refused))
        try await file.settle("notes", .dead(.refused))
        try await file.enqueue(file.request("waits", "https://a/2"))
        return file
    }

    private func isDead(_ state: OutboxRecord.State?) -> Bool { if case .dead = state { true } else { false } }
    private func isPending(_ state: OutboxRecord.State?) -> Bool {
        if case .pending(attempts: 0, _, _) = state { true } else { false }
    }

    @Test func retryRetriesEveryDeliveryOfAnEntry() async throws {
        let file = try await filled()
        let result = await file.run("retry", "both")
        #expect(result.status == .delivered && result.text == "retried 2 deliveries\n")
        for destination in ["api", "notes"] { #expect(isPending(try await file.state("both", destination))) }
        #expect(isDead(try await file.state("one")))
    }

    @Test func retryAllRetriesOneDestination() async throws {
        let file = try await filled()
        let objects = try await file.json("retry", "--all", "--destination", "api")
        #expect(objects.map { $0["id"] as? String } == ["one", "both"])
        #expect(objects.allSatisfy { $0["done"] as? String == "retried" && $0["destination"] as? String == "api" })
        for id in ["one", "both"] { #expect(isPending(try await file.state(id))) }
        #expect(isDead(try await file.state("both", "notes")))
    }

    @Test func nothingIsRetriedIfOneEntryCannotBe() async throws {
        let file = try await filled()
        let result = await file.run("retry", "one", "waits", "oen", "on")
        #expect(result.status == .notDone && result.output.isEmpty)
        #expect(
            result.error.contains("expected a dead letter of waits that matches the options, found none (api: pending)")
        )
        #expect(result.error.contains("no entry with the id 'oen'"))
        #expect(isDead(try await file.state("one")))
    }

    @Test func allWithoutDeadLettersDoesNothing() async throws {
        let file = try OutboxFile()
        try await file.enqueue(file.own("a"))
        for choice in ["retry", "discard"] {
            let result = await file.run(choice, "--all")
            #expect(result.status == .delivered && result.line == "no dead letters in \(file.path)")
        }
        #expect(try await file.state("a", "notes") != nil)
    }

    @Test func waitingEntryIsDiscardedByItsIDOnly() async throws {
        let file = try await filled()
        #expect(await file.run("discard", "--all", "--yes").text == "discarded 3 deliveries\n")
        #expect(try await file.state("one") == nil)
        #expect(isPending(try await file.state("waits")))
        #expect(await file.run("discard", "waits", "-y").text == "discarded 1 delivery\n")
        #expect(await file.run("ls").line == "nothing waits in \(file.path)")
    }

    @Test(arguments: [("y", true), ("YES", true), ("n", false), ("", false), ("yellow", false)])
    func discardAsksForConfirmation(answer: String, goesOn: Bool) async throws {
        let file = try await filled()
        let result = await file.run("discard", "one", "both", answer: answer)
        #expect(
            result.error.hasPrefix(
                "discard 3 deliveries (1 × http.request to api, 1 × note.edit to api, 1 × note.edit to notes)? "
                    + "Discarded deliveries are not sent any more; attempted ones may have arrived. [y/N] "),
            "\(result.error)")
        #expect(result.status == (goesOn ? .delivered : .notDone))
        let isGone = try await file.state("one") == nil
        #expect(isGone == goesOn)
        #expect(result.error.contains("nothing was discarded") != goesOn)
    }

    @Test func discardWithoutATerminalNeedsYes() async throws {
        let file = try await filled()
        let result = await file.run("discard", "one")
        #expect(result.status == .usage && result.error.contains("expected --yes, or a terminal for the question"))
        #expect(isDead(try await file.state("one")))
    }

    @Test func dependentOfADiscardedEntryIsADeadLetter() async throws {
        let file = try OutboxFile()
        try await file.enqueue(file.own("a"), file.request("b", "https://a/", dependingOn: "a"))
        #expect(await file.run("discard", "a", "--yes").status == .delivered)
        #expect(isDead(try await file.state("b")))
    }

    /// More entries than fit into one commit.
    @Test func retryAllContinuesBeyondOneCommit() async throws {
        let file = try OutboxFile()
        let ids = (0..<1_100).map { "\(1000 + $0)" }
        try await file.app { store in
            let others = ids.map { file.request($0, "https://a/", lane: "one", dependingOn: "first") }
            try await store.commit(Commit(enqueued: [file.own("first")] + others))
            var commit = Commit()
            commit.discarded = [DeliveryID(.init("first"), to: "notes")]
            try await store.commit(commit)
        }
        #expect(await file.run("retry", "--all").text == "retried 1100 deliveries\n")
        #expect(await file.run("ls", "--state", "dead").error.contains("none of the 1100 deliveries"))
    }

    /// As many dead entries, and one that waits.
    private func many() async throws -> OutboxFile {
        let file = try OutboxFile()
        try await file.app { store in
            let others = (0..<1_100).map { file.request("\(1000 + $0)", "https://a/", dependingOn: "first") }
            try await store.commit(Commit(enqueued: [file.own("first"), file.own("waits")] + others))
            var commit = Commit()
            commit.discarded = [DeliveryID(.init("first"), to: "notes")]
            try await store.commit(commit)
        }
        return file
    }

    private func dead(_ file: OutboxFile) async throws -> Int {
        try await file.app { try await $0.counts(of: nil).dead.values.reduce(0, +) }
    }

    @Test(arguments: [[], ["--json"]])
    func failedOutputDoesNotInterruptARetry(options: [String]) async throws {
        let file = try await many()
        let result = await file.session.run(["outbox", "retry", "--all", "--db", file.path] + options) { _ in
            throw OutputFailure("standard output could not be written", errno: EPIPE)
        }
        #expect(result.status == .outputFailed && result.error.contains("could not be written"), "\(result.error)")
        #expect(try await dead(file) == 0)
    }

    @Test func cancelledDiscardReportsItsProgress() async throws {
        let file = try await many()
        let result = await Task {
            await file.session.run(["outbox", "discard", "--all", "--yes", "--json", "--db", file.path]) { _ in
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }.value
        #expect(result.status == .cancelled)
        #expect(result.error.hasPrefix("discarded 500 of 1100\n"), "\(result.error)")
        #expect(try await dead(file) == 600)
    }

    /// While the question is open, the app retries one entry, and another process discards another.
    @Test func deadLetterRetriedMeanwhileIsNotDiscarded() async throws {
        let file = try await filled()
        try await file.enqueue(file.request("two", "https://a/3"))
        try await file.settle("api", .dead(.refused))
        let result = await file.session.run(
            ["outbox", "discard", "--all", "--json", "--db", file.path],
            asked: {
                try Child.runToItsEnd(["outbox", "retry", "both", "--db", file.path])
                try Child.runToItsEnd(["outbox", "discard", "two", "--yes", "--db", file.path])
                return "y"
            })
        #expect(result.status == .delivered)
        #expect(result.error.contains("discard 5 deliveries ("), "\(result.error)")
        #expect(result.error.hasSuffix("3 deliveries had changed meanwhile, and were left unchanged\n"))
        #expect(result.text.split(separator: "\n").map { $0.prefix(9) } == ["{\"id\":\"on", "{\"id\":\"wa"])
        for destination in ["api", "notes"] { #expect(isPending(try await file.state("both", destination))) }
        #expect(try await file.state("one") == nil)
    }

    /// An entry named by its id is discarded in any state that it has by then.
    @Test func namedEntryIsDiscardedWhetherDeadOrWaiting() async throws {
        let file = try await filled()
        let result = await file.session.run(
            ["outbox", "discard", "one", "both", "--destination", "api", "--db", file.path],
            asked: {
                try Child.runToItsEnd(["outbox", "retry", "one", "--db", file.path])
                try Child.runToItsEnd(["outbox", "discard", "both", "--yes", "--db", file.path])
                return "y"
            })
        #expect(result.status == .delivered && result.text == "discarded 1 delivery\n")
        #expect(try await file.state("one") == nil)
    }
}
