import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfStorage
import WharfStores

@testable import WharfOutbox

/// Payloads that change before they are sent: assigned ids, and merged edits.
struct RewritingTests {
    /// Replaces `<temporary>` by ids.
    static func api(kinds: Set<String> = ["note"], merged: String? = nil) -> RecordingDestination {
        RecordingDestination(
            "api", kinds: kinds,
            answer: { entry, _ in
                Delivery(
                    .delivered, assignedIDs: entry.id.text.hasPrefix("new") ? ["<\(entry.id)>": "id-\(entry.id)"] : [:])
            },
            rewriting: { payload, ids in
                let text = String(decoding: payload, as: UTF8.self)
                guard text != "unreadable" else { throw DeliveryFailure(.unreadable, message: "no JSON") }
                return Array(ids.reduce(text) { replace($1.key, by: $1.value, in: $0) }.utf8)
            },
            merging: { _ in merged.map { Array($0.utf8) } })
    }

    private static func replace(_ part: String, by other: String, in text: String) -> String {
        text.split(separator: "+").map { $0 == part ? other : String($0) }.joined(separator: "+")
    }

    private func texts(_ destination: RecordingDestination) -> [String] {
        destination.received.map { String(decoding: $0.payload, as: UTF8.self) }
    }

    @Test func assignedIDsShareTheCommitOfTheirAnswer() async throws {
        let api = Self.api()
        try await Stage(api).run { stage in
            try await stage.outbox.enqueue(
                .sample("new1"), .sample("e", payload: "edit+<new1>", dependencies: [.init("new1")]))
            try await stage.untilGone("e")
            #expect(texts(api) == ["new1", "edit+id-new1"])
            let commit = try #require(stage.store.commits.first { !$0.assigned.isEmpty })
            #expect(commit.settled.map(\.outcome) == [.delivered])
            #expect(commit.rewritten == [Rewrite(.init("e"), payload: Array("edit+id-new1".utf8))])
            #expect(commit.assigned.first?.dependents == [.init("e")])
            #expect(try await stage.memory.assignedIDs(for: ["<new1>"], of: nil) == ["<new1>": "id-new1"])
        }
    }

    @Test func dependentOfSeveralEntriesGetsAllTheirIDs() async throws {
        for width in [1, 8] {
            let api = Self.api()
            let gate = Gate()
            api.answers { entry, _ in
                if entry.id.text.hasPrefix("new"), width > 1 {
                    await gate.pass()
                }
                return Delivery(.delivered, assignedIDs: ["<\(entry.id)>": "id-\(entry.id)"])
            }
            try await Stage(api, width: width).run { stage in
                let new = (1...3).map { OutboxEntry.sample("new\($0)", lane: "\($0)") }
                let last = OutboxEntry.sample(
                    "e", payload: "<new1>+<new2>+<new3>", dependencies: Set(new.map(\.id)))
                try await stage.outbox.enqueue(new + [last], changing: [])
                if width > 1 { await gate.arrivals(3) }
                gate.open()
                try await stage.untilGone("e")
                #expect(texts(api).last == "id-new1+id-new2+id-new3")
            }
        }
    }

    @Test func dependentEnqueuedDuringTheAssignmentGetsItsIDs() async throws {
        let api = Self.api()
        let stage = Stage(api)
        let memory = stage.memory
        let late = OutboxEntry.sample("late", lane: "late", payload: "<new1>", dependencies: [.init("new1")])
        stage.store.afterDependents {
            if try await memory.record(of: late.id) == nil { try await memory.commit(Commit(enqueued: [late])) }
        }
        try await stage.run { stage in
            try await stage.outbox.enqueue(.sample("new1"))
            await stage.until("it was sent") { api.received.count == 2 }
            #expect(texts(api) == ["new1", "id-new1"])
        }
    }

    @Test func parkedDependentGetsItsIDsWhenItsKindRegisters() async throws {
        let api = Self.api()
        try await Stage(api).run { stage in
            try await stage.outbox.enqueue(
                .sample("new1"),
                .sample("e", lane: "other", kind: "later", payload: "<new1>", to: "mail", dependencies: [.init("new1")])
            )
            try await stage.untilGone("new1")
            let mail = RecordingDestination(
                "mail", kinds: ["later"],
                rewriting: { _, ids in
                    #expect(ids == ["<new1>": "id-new1"])
                    return Array(ids.values.joined().utf8)
                })
            stage.outbox.register(mail)
            try await stage.untilGone("e")
            #expect(texts(mail) == ["id-new1"])
        }
    }

    private static func later(_ name: String) -> RecordingDestination {
        RecordingDestination(
            name, kinds: ["later"],
            rewriting: { payload, ids in Array((ids[String(decoding: payload, as: UTF8.self)] ?? "lost").utf8) })
    }

    @Test func nextEngineFillsInOwedIDs() async throws {
        let (stage, mail) = (Stage(Self.api()), Self.later("mail"))
        try await stage.run { stage in
            try await stage.outbox.enqueue(
                .sample("new1"),
                .sample("e", kind: "later", payload: "<new1>", to: "mail", dependencies: [.init("new1")])
            )
            try await stage.untilGone("new1")
        }
        let next = OutboxEngine(
            store: stage.memory, destinations: [mail], configuration: .init(clock: stage.wall, timer: stage.clock))
        next.start()
        #expect(try await next.outcome(of: .init("e")) == ["mail": .delivered])
        await next.close()
        #expect(texts(mail) == ["id-new1"] && mail.received[0].key.text == "e")
    }

    @Test func owedIDsAreFilledInOnceForSeveralDestinations() async throws {
        let (mail, log) = (Self.later("mail"), Self.later("log"))
        let stage = Stage(Self.api())
        try await stage.run { stage in
            try await stage.outbox.enqueue(
                .sample("new1"),
                .sample("e", kind: "later", payload: "<new1>", to: "mail", "log", dependencies: [.init("new1")]))
            try await stage.untilGone("new1")
        }
        // Both engines deliver the entry before either one writes the ids.
        let gate = Gate()
        stage.store.holdCommits(at: gate) { !$0.rewritten.isEmpty }
        let next = OutboxEngine(
            store: stage.store, destinations: [mail, log], configuration: .init(clock: stage.wall, timer: stage.clock))
        next.start()
        await gate.arrivals()
        await stage.until("both are on their way") { next.state.withLock { $0.heldLanes.count == 2 } }
        gate.open()
        #expect(try await next.outcome(of: .init("e")) == ["mail": .delivered, "log": .delivered])
        await next.close()
        #expect(texts(mail) == ["id-new1"] && texts(log) == ["id-new1"])
        #expect(mail.received == log.received)
    }

    @Test func dependentEnqueuedAfterTheAssignmentGetsItsIDs() async throws {
        let api = Self.api()
        try await Stage(api).run { stage in
            try await stage.outbox.enqueue(.sample("new1"))
            try await stage.untilGone("new1")
            try await stage.outbox.enqueue(.sample("e", payload: "edit+<new1>", dependencies: [.init("new1")]))
            try await stage.untilGone("e")
            #expect(texts(api) == ["new1", "edit+id-new1"])
        }
    }

    @Test func dependentOfADiscardedEntryIsDeadUntilEdited() async throws {
        let api = Self.api()
        try await Stage(api).run { stage in
            let gone = OutboxEntry.sample("new1", kind: "later")
            try await stage.outbox.enqueue(gone)
            try await stage.outbox.discard([DeliveryID(gone.id, to: "api")])
            try await stage.outbox.enqueue(.sample("e", payload: "edit+<new1>", dependencies: [gone.id]))
            #expect(try await stage.untilDead("e")?.code == .dependencyDiscarded)
            let letter = try #require(try await stage.outbox.deadLetters().first)
            let new = try await stage.outbox.edit(letter, payload: Array("alone".utf8))
            try await stage.untilGone(new.id.text)
            #expect(texts(api) == ["alone"])
        }
    }

    @Test func unreadablePayloadBecomesADeadLetterAndIsNotSent() async throws {
        let api = Self.api()
        try await Stage(api).run { stage in
            try await stage.outbox.enqueue(
                .sample("new1"), .sample("e", payload: "unreadable", dependencies: [.init("new1")]), .sample("f"))
            #expect(try await stage.untilDead("e")?.code == .unreadable)
            try await stage.untilGone("f")
            #expect(texts(api) == ["new1", "f"])
            let letter = try #require(try await stage.outbox.deadLetters().first)
            let new = try await stage.outbox.edit(letter, payload: Array("<new1>".utf8))
            try await stage.untilGone(new.id.text)
            #expect(texts(api).last == "id-new1", "it was never sent, and is owed the ids that the letter was")
        }
    }

    @Test func mergedEntryKeepsItsPlaceUnderANewKey() async throws {
        let api = Self.api(merged: "both")
        api.answers { entry, attempt in
            entry.id.text == "a" && attempt == 1 ? .conflict(theirs: [7]) : .delivered
        }
        try await Stage(api).run { stage in
            try await stage.outbox.enqueue(.sample("a", payload: "mine"), .sample("b"))
            try await stage.untilGone("b")
            #expect(texts(api) == ["mine", "both", "b"])
            #expect(api.received[0].key != api.received[1].key && api.received[1].base == [7])
        }
    }

    @Test func unmergedConflictBecomesADeadLetter() async throws {
        let api = Self.api()
        api.answers { entry, _ in entry.id.text == "a" ? .conflict(theirs: [7]) : .delivered }
        try await Stage(api).run { stage in
            try await stage.outbox.enqueue(.sample("a", payload: "mine"), .sample("b"))
            try await stage.untilGone("b")
            let letter = try #require(try await stage.outbox.deadLetters().first)
            #expect(letter.conflict?.theirs == [7] && letter.conflict?.mine == Array("mine".utf8))
        }
    }

    @Test func entryForSeveralDestinationsIsNotMerged() async throws {
        let api = Self.api(merged: "both")
        let mail = RecordingDestination("mail", kinds: ["note"])
        api.answers { _, _ in .conflict() }
        try await Stage(api, mail).run { stage in
            try await stage.outbox.enqueue(.sample("a", to: "api", "mail"))
            #expect(try await stage.untilDead("a")?.code == .conflict)
            #expect(texts(api) == ["a"])
        }
    }

    @Test func discardDuringAMergeDoesNotBlockTheLane() async throws {
        let gate = Gate()
        let api = RecordingDestination(
            "api", kinds: ["note"], answer: { entry, _ in entry.id.text == "a" ? .conflict() : .delivered },
            merging: { _ in
                await gate.pass()
                return [1]
            })
        try await Stage(api).run { stage in
            try await stage.outbox.enqueue(.sample("a"), .sample("b"))
            await gate.arrivals()
            try await stage.outbox.discard([DeliveryID(.init("a"), to: "api")])
            gate.open()
            try await stage.untilGone("b")
        }
    }
}
