internal import Synchronization
internal import WharfChecks
internal import WharfCore
internal import WharfFakes
internal import WharfStorage

extension OutboxLaws {
    static let outcomes: [Law<Subject>] = [
        Law("an outcome comes when the last destination has settled, not before") { subject in
            try await subject.useDelivering { it in
                let gate = Gate()
                let api = RecordingDestination("api", kinds: ["note"]) { _, _ in
                    await gate.pass()
                    return .rejected
                }
                it.outbox.register(api)
                let entry = it.entry("a")
                try await it.enqueue([entry])
                let hasOutcome = Mutex(false)
                let outcome = Task {
                    defer { hasOutcome.withLock { $0 = true } }
                    return try await it.outbox.outcome(of: entry.id)
                }
                let drain = Task { try await it.outbox.drain(within: nil) }
                _ = await comesTrue { !api.received.isEmpty }
                await letOthersRun()
                let isEarly = hasOutcome.withLock { $0 }
                gate.open()
                _ = try await drain.value
                let hasCome = await comesTrue { hasOutcome.withLock { $0 } }
                // Otherwise a broken outbox would leave the task waiting after the law.
                if !hasCome { outcome.cancel() }
                try require(!isEarly, "it came while the entry was on its way")
                try require(hasCome, "it did not come")
            }
        },
        Law("an outcome says what each destination made of the entry") { subject in
            try await subject.useDelivering { it in
                it.outbox.register(RecordingDestination("api", kinds: ["note"]))
                it.outbox.register(RecordingDestination("mail", kinds: ["note"]) { _, _ in .rejected })
                let entry = it.entry("a", to: "api", "mail")
                try await it.enqueue([entry])
                _ = try await it.outbox.drain(within: nil)
                let states = try await it.outbox.outcome(of: entry.id) ?? [:]
                guard case .delivered = states["api"], case .dead(_, let failure) = states["mail"],
                    failure.code == .rejected, states.count == 2
                else { throw FailedRequirement(found: "the outcome is \(states)") }
            }
        },
        Law("an entry that was delivered everywhere has no outcome any more") { subject in
            try await subject.useDelivering { it in
                it.outbox.register(RecordingDestination("api", kinds: ["note"]))
                let entry = it.entry("a")
                try await it.enqueue([entry])
                _ = try await it.outbox.drain(within: nil)
                let states = try await it.outbox.outcome(of: entry.id)
                try require(states == nil, "the outcome is \(states ?? [:])")
            }
        },
    ]
}
