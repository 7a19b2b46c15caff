internal import WharfChecks
internal import WharfCore
internal import WharfFakes

extension WriteLaws {
    static let decisions: [Law<Subject>] = [
        Law("a delivered change is found by the next read") { subject in
            for isTerse in [false, true] {
                let stage = await Stage(subject, [one])
                stage.service.beTerse(isTerse)
                var note = one
                note.title = "edited"
                guard case .delivered = try await stage.notes.edit(note, basedOn: one).delivery() else {
                    throw FailedRequirement(found: "an edit was not delivered")
                }
                try await stage.requireKnown(1, note)
                _ = try await stage.notes.add(two).delivery()
                try await stage.requireKnown(2, two)
                let listed = await stage.notes.listSnapshot(policy: .standard).value
                try require(listed == [note, two], "a list had \(String(describing: listed))")
                _ = try await stage.notes.delete(id: 1).delivery()
                try await stage.requireKnown(1, nil)
                try require(stage.service.models == [two], "the service has \(stage.service.models)")
            }
        },
        Law("a receipt gives the model that the service answered with, each time") { subject in
            let stage = await Stage(subject)
            let receipt = try await stage.notes.edit(Note(id: 1, title: "edited"), basedOn: one)
            let outcome = await receipt.delivery()
            try require(outcome == .delivered(Note(id: 1, title: "edited")), "the outcome was \(outcome)")
            try require(await receipt.delivery() == outcome, "asked twice, it said something else")
        },
        Law("a rejected change changes nothing and gives its reason") { subject in
            for (status, code) in [
                (400, .invalid), (422, .invalid), (401, .notAuthorized), (403, .notAuthorized), (405, .refused),
            ] as [(Int, WriteFailure.Code)] where !subject.keepsUndelivered || status != 401 {
                let stage = await Stage(subject)
                _ = await stage.notes.listSnapshot(policy: .networkFirst)
                stage.service.failWrites(.answer(status))
                for mode in [.confirmed, .optimistic] as [WriteMode] {
                    for outcome in try await [
                        stage.notes.edit(Note(id: 1, title: "edited"), basedOn: one, mode),
                        stage.notes.delete(id: 1, mode),
                        stage.notes.add(Note(id: 3, title: "added"), mode),
                    ] {
                        guard case .rejected(let failure) = await outcome.delivery() else {
                            throw FailedRequirement(found: "\(status) was not rejected")
                        }
                        try require(failure.code == code, "\(status) was \(failure.code)")
                        let said = failure.response?.status.code ?? (failure.cause as? DeliveryFailure)?.status
                        try require(said == status, "the answer was not given")
                    }
                    try await stage.requireKnown(1, one)
                    try await stage.requireKnown(3, nil)
                    let listed = await stage.notes.listSnapshot(policy: .cacheOnly).value
                    try require(listed == [one, two], "a list had \(String(describing: listed))")
                }
            }
        },
        Law("an edit over a foreign change is a conflict that has theirs") { subject in
            for mode in [.confirmed, .optimistic] as [WriteMode] {
                let stage = await Stage(subject)
                let theirs = Note(id: 1, title: "theirs")
                stage.service.put(theirs)
                guard
                    case .conflict(let found) = try await stage.notes.edit(
                        Note(id: 1, title: "mine"), basedOn: one, mode
                    ).delivery()
                else { throw FailedRequirement(found: "it was not in conflict") }
                try require(found.value == theirs, "theirs was \(String(describing: found.value))")
                try await stage.requireKnown(1, theirs)
                try require(stage.service.models.contains(theirs), "the service has \(stage.service.models)")
                // The change can be made again on the model of the conflict.
                let again = try await stage.notes.edit(Note(id: 1, title: "merged"), basedOn: theirs, mode)
                try require(await again.delivery() == .delivered(Note(id: 1, title: "merged")), "not on theirs")
            }
        },
        Law("an edit never reverts what another client has changed since the model was shown") { subject in
            let theirs = [Note(id: 1, title: "one", text: "theirs"), Note(id: 1, title: "theirs", text: one.text)]
            for mode in [.confirmed, .optimistic] as [WriteMode] {
                // A change of another field may be merged. One of the same field has to be a
                // conflict.
                for theirs in theirs {
                    let stage = await Stage(subject)
                    stage.service.put(theirs)
                    // The form still shows the earlier model.
                    _ = await stage.notes.snapshot(id: 1, policy: .networkFirst)
                    let mine = Note(id: 1, title: "mine", text: one.text)
                    let outcome = try await stage.notes.edit(mine, basedOn: one, mode).delivery()
                    let now = stage.service.models.first { $0.id == 1 }
                    if case .conflict(let found) = outcome {
                        try require(found.value == theirs, "theirs was \(String(describing: found.value))")
                        try require(now == theirs, "the service has \(String(describing: now))")
                    } else {
                        let both = Note(id: 1, title: "mine", text: theirs.text)
                        try require(theirs.title == one.title, "a title that it had not seen was replaced")
                        try require(now == both, "the service has \(String(describing: now))")
                    }
                }
            }
        },
        Law("an undelivered edit throws and changes nothing, or waits in the outbox") { subject in
            for failure in [RepositoryLaws.unreachable, .answer(503), .answer(429)] {
                for mode in [.confirmed, .optimistic] as [WriteMode] {
                    let stage = await Stage(subject)
                    stage.service.failWrites(failure)
                    if subject.keepsUndelivered {
                        _ = try await stage.notes.edit(Note(id: 1, title: "edited"), basedOn: one, mode)
                        let shown = await stage.notes.snapshot(id: 1, policy: .cacheOnly).kept
                        let title = mode == .optimistic ? "edited" : "one"
                        try require(shown?.value.title == title, "it shows \(String(describing: shown?.value))")
                        continue
                    }
                    do {
                        let outcome = try await stage.notes.edit(Note(id: 1, title: "edited"), basedOn: one, mode)
                            .delivery()
                        throw FailedRequirement(found: "nothing was thrown, but \(outcome)")
                    } catch let error as WriteFailure {
                        try require(error.code == .notDelivered, "\(error.code) was thrown")
                    }
                    try await stage.requireKnown(1, one)
                }
            }
        },
        Law("an edit of a deleted model is a conflict without theirs, and its deletion is delivered") { subject in
            for mode in [.confirmed, .optimistic] as [WriteMode] {
                let stage = await Stage(subject)
                stage.service.remove(1)
                stage.service.remove(2)
                guard
                    case .conflict(let theirs) = try await stage.notes.edit(1, mode, { $0.title = "x" }).delivery()
                else { throw FailedRequirement(found: "it was not in conflict") }
                try require(theirs.value == nil, "theirs was \(String(describing: theirs.value))")
                let status = theirs.error?.response?.status.code
                try require(status == 404, "the answer was \(String(describing: status))")
                try await stage.requireKnown(1, nil)
                let outcome = try await stage.notes.delete(id: 2, mode).delivery()
                try require(outcome == .delivered(nil), "deleting was \(outcome)")
                try await stage.requireKnown(2, nil)
            }
        },
    ]
}
