internal import WharfChecks
internal import WharfCore
internal import WharfFakes

extension WriteLaws {
    static let order: [Law<Subject>] = [
        Law("a read requested before a change does not bring the old value back") { subject in
            for deletes in [false, true] {
                let stage = await Stage(subject)
                let gate = Gate()
                defer { gate.open() }
                // The answer is computed before the gate, so it has the old value.
                stage.service.holdReads(at: gate)
                let notes = stage.notes
                let late = Task { await notes.snapshot(id: 1, policy: .networkFirst) }
                await gate.arrivals(1)
                let edited = Note(id: 1, title: "edited")
                let receipt = try await deletes ? notes.delete(id: 1) : notes.edit(edited, basedOn: one)
                _ = await receipt.delivery()
                gate.open()
                _ = await late.value
                try await stage.requireKnown(1, deletes ? nil : edited)
            }
        },
        Law("changes of one model are delivered in call order, and other models do not wait") { subject in
            let stage = await Stage(subject)
            let (gate, notes) = (Gate(), stage.notes)
            defer { gate.open() }
            stage.service.holdWrites(at: gate)
            var calls: [Task<WriteOutcome<Note>, any Error>] = []
            for number in 0..<5 {
                calls.append(
                    Task.immediate { try await notes.edit(1, .confirmed) { $0.title = "\(number)" }.delivery() })
            }
            calls.append(
                Task.immediate {
                    try await notes.edit(Note(id: 2, title: "other"), basedOn: two, .confirmed).delivery()
                })
            // The first change of each model.
            await gate.arrivals(2)
            // One per model: the later changes of the first model wait for their predecessor.
            try require(stage.service.writes == 2, "\(stage.service.writes) changes were sent at once")
            gate.open()
            for (number, call) in calls.enumerated() {
                let outcome = try await call.value
                guard case .delivered = outcome else { throw FailedRequirement(found: "\(number) was \(outcome)") }
            }
            try require(stage.service.models.first?.title == "4", "the service has \(stage.service.models)")
            try await stage.requireKnown(1, Note(id: 1, title: "4", text: one.text))
        },
        Law("a caller that is cancelled during delivery does not revert its change") { subject in
            let stage = await Stage(subject)
            let (gate, notes) = (Gate(), stage.notes)
            defer { gate.open() }
            stage.service.holdWrites(at: gate)
            let edited = Note(id: 1, title: "edited")
            let call = Task { try await notes.edit(edited, basedOn: one).delivery() }
            await gate.arrivals(1)
            call.cancel()
            gate.open()
            _ = await call.result
            // This change is sent after it.
            _ = try await notes.edit(Note(id: 1, title: "later"), basedOn: edited, .confirmed).delivery()
            try require(stage.service.models.first?.title == "later", "the service has \(stage.service.models)")
            try require(stage.service.writes == 2, "\(stage.service.writes) changes were sent")
            try await stage.requireKnown(1, Note(id: 1, title: "later"))
        },
    ]
}
