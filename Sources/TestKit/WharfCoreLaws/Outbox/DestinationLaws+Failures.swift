internal import WharfChecks
internal import WharfCore

extension DestinationLaws {
    static let failures: [Law<Subject>] = [
        Law("an entry for a busy receiver is sent later, and arrives then") { subject in
            let it = try await subject.make()
            guard it.receiver.conditions.contains(.busy) else { return }
            await it.receiver.set(.busy)
            let entry = try it.entry(1)
            let verdict = await it.destination.deliver(entry).verdict
            try require(verdict.isLater, "it answered \(verdict)")
            try await it.receiver.requireArrivals([])
            await it.receiver.set(.working)
            let second = await it.destination.deliver(entry).verdict
            try require(second == .delivered, "then it answered \(second)")
            try await it.receiver.requireArrivals([entry])
        },
        Law("an entry that the receiver refuses for good is rejected or in conflict") { subject in
            let it = try await subject.make()
            guard it.receiver.conditions.contains(.refusing) else { return }
            await it.receiver.set(.refusing)
            let verdict = await it.destination.deliver(try it.entry(1)).verdict
            switch verdict {
            case .rejected, .conflict: break
            default: throw FailedRequirement(found: "it answered \(verdict)")
            }
            try await it.receiver.requireArrivals([])
        },
        Law("an unreadable payload is rejected, and does not arrive") { subject in
            let it = try await subject.make()
            guard let unreadable = it.receiver.unreadable else { return }
            let entry = try it.receiver.entry(1, to: it.destination.name, payload: unreadable)
            let verdict = await it.destination.deliver(entry).verdict
            guard case .rejected = verdict else { throw FailedRequirement(found: "it answered \(verdict)") }
            try await it.receiver.requireArrivals([])
        },
        Law("a failure has a message, without secrets") { subject in
            let it = try await subject.make()
            for case let failure? in try await it.failures().map(\.failure) {
                try require(!failure.message.isEmpty, "\(failure.code) has no message")
                for secret in it.receiver.secrets {
                    try require(!failure.message.contains(secret), "the message has a secret: \(failure.message)")
                }
            }
        },
    ]
}
