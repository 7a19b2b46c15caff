internal import WharfChecks
internal import WharfCore
internal import WharfFakes

extension WriteLaws {
    static let optimistic: [Law<Subject>] = [
        Law("an optimistic change is read at once, and a confirmed one is not") { subject in
            for (mode, title) in [(.optimistic, "edited"), (.confirmed, "one")] as [(WriteMode, String)] {
                let (stage, gate) = (await Stage(subject), Gate())
                defer { gate.open() }
                stage.service.holdWrites(at: gate)
                let notes = stage.notes
                let edited = Task { try await notes.edit(Note(id: 1, title: "edited"), basedOn: one, mode) }
                await gate.arrivals(1)
                let shown = await notes.snapshot(id: 1, policy: .cacheOnly).kept
                try require(shown?.value.title == title, "it shows \(String(describing: shown?.value))")
                try require(shown?.isPending == (mode == .optimistic), "it says otherwise whether it is pending")
                gate.open()
                _ = try await edited.value.delivery()
                let last = await notes.snapshot(id: 1, policy: .cacheOnly).kept
                try require(
                    last?.value.title == "edited" && last?.isPending == false, "in the end \(String(describing: last))")
            }
        },
        Law("optimistic additions and deletions are shown at once, also in lists") { subject in
            let (stage, gate) = (await Stage(subject), Gate())
            defer { gate.open() }
            _ = await stage.notes.listSnapshot(policy: .networkFirst)
            stage.service.holdWrites(at: gate)
            let (notes, three) = (stage.notes, Note(id: 3, title: "three"))
            let added = Task { try await notes.add(three, .optimistic) }
            let deleted = Task { try await notes.delete(id: 1, .optimistic) }
            await gate.arrivals(2)
            for policy in [.cacheOnly, .standard, .networkFirst] as [ReadPolicy] {
                let one = await notes.snapshot(id: 1, policy: policy).value
                try require(one == nil, "what is being deleted was read with \(policy)")
                let found = await notes.snapshot(id: 3, policy: policy).value
                try require(found == three, "what is being added was not read with \(policy)")
                let listed = await notes.listSnapshot(policy: policy).value
                try require(listed == [two, three], "a list had \(String(describing: listed)) with \(policy)")
            }
            gate.open()
            _ = try await (added.value.delivery(), deleted.value.delivery())
            let listed = await notes.listSnapshot(policy: .standard).value
            try require(listed == [two, three], "in the end a list had \(String(describing: listed))")
        },
        Law("an observer sees an optimistic change, and sees it reverted after a rejection") { subject in
            let (stage, gate) = (await Stage(subject), Gate())
            defer { gate.open() }
            var seen = stage.notes.observe(id: 1, policy: .cacheFirst).makeAsyncIterator()
            var last = await seen.next(isolation: nil)
            stage.service.holdWrites(at: gate)
            stage.service.failWrites(.answer(422))
            let notes = stage.notes
            let edited = Task { try await notes.edit(Note(id: 1, title: "edited"), basedOn: one) }
            await gate.arrivals(1)
            try await stage.requireKnown(1, Note(id: 1, title: "edited"))
            while last?.value?.title != "edited" {
                last = try require(await seen.next(isolation: nil), "the sequence ended")
            }
            gate.open()
            _ = try await edited.value
            while last?.value != one { last = try require(await seen.next(isolation: nil), "the sequence ended") }
        },
        Law("a refetch does not overwrite an optimistic change") { subject in
            let (stage, gate) = (await Stage(subject), Gate())
            defer { gate.open() }
            stage.service.holdWrites(at: gate)
            let notes = stage.notes
            var note = one
            note.title = "edited"
            let edited = Task { try await notes.edit(note, basedOn: one) }
            await gate.arrivals(1)
            // The network answers with another client's title while the own edit is under way.
            stage.service.put(Note(id: 1, title: "theirs", text: "theirs"))
            for policy in [.networkFirst, .networkOnly, .standard, .cacheOnly] as [ReadPolicy] {
                let shown = await notes.snapshot(id: 1, policy: policy).value
                try require(shown?.title == "edited", "with \(policy) it shows \(String(describing: shown))")
                let listed = await notes.listSnapshot(policy: policy).value
                let title = listed?.first?.title
                try require(
                    listed == nil || title == "edited", "with \(policy) a list has \(String(describing: title))")
            }
            gate.open()
            _ = try await edited.value
        },
        Law("a rejected change reverts its own fields only") { subject in
            let (stage, gate) = (await Stage(subject), Gate())
            defer { gate.open() }
            stage.service.holdWrites(at: gate)
            let notes = stage.notes
            let mine = Note(id: 1, title: "mine", text: one.text)
            let first = Task.immediate { try await notes.edit(mine, basedOn: one) }
            await gate.arrivals(1)
            // Based on the first, which is not decided yet.
            let second = Task.immediate { try await notes.edit(1) { $0.text = "mine" } }
            _ = await comesTrue { await notes.snapshot(id: 1, policy: .cacheOnly).value?.text == "mine" }
            try await stage.requireKnown(1, Note(id: 1, title: "mine", text: "mine"))
            let held = Gate()
            defer { held.open() }
            stage.service.failWrites(.answer(422))
            stage.service.holdWrites(at: held)
            gate.open()
            // The second change is sent after the first has been decided.
            await held.arrivals(1)
            guard case .rejected = await (try first.value).delivery() else {
                throw FailedRequirement(found: "it was not rejected")
            }
            try await stage.requireKnown(1, Note(id: 1, title: "one", text: "mine"))
            held.open()
            _ = try await second.value.delivery()
            try await stage.requireKnown(1, one)
        },
    ]
}
