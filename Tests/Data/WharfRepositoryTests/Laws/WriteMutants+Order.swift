import Synchronization
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfRepository

extension WriteMutants {
    static let order: [Mutant] = [
        mutant(
            "believes an answer that a change has overtaken",
            breaks: "a read requested before a change does not bring the old value back"
        ) {
            notes in
            let known = Mutex((writes: 0, late: [Int: Snapshot<Note>]()))
            notes.one = { [base = notes.base, remote = notes.remote] id, policy in
                if policy == .cacheOnly, let late = known.withLock({ $0.late[id] }) { return late }
                guard policy == .networkFirst else { return await base.snapshot(id: id, policy: policy) }
                let writes = known.withLock { $0.writes }
                let answer = await remote.get(id, .reload)
                known.withLock { known in
                    if known.writes != writes { known.late[id] = answer }
                }
                return await base.snapshot(id: id, policy: policy)
            }
            notes.edit = { [edit = notes.edit] (note, shown, mode) async throws(WriteFailure) in
                let receipt = try await edit(note, shown, mode)
                known.withLock { $0.writes += 1 }
                return receipt
            }
        },
        mutant(
            "sends at once what is confirmed",
            breaks: "changes of one model are delivered in call order, and other models do not wait"
        ) { notes in
            let underWay = Mutex<[Int: Int]>([:])
            let (base, remote) = (notes.base, notes.remote)
            notes.editByID = { [edit = notes.editByID] (id, mode, change) async throws(WriteFailure) in
                let isAlone = underWay.withLock { underWay in
                    underWay[id, default: 0] += 1
                    return underWay[id] == 1
                }
                defer { underWay.withLock { $0[id, default: 1] -= 1 } }
                guard !isAlone, mode == .confirmed, var note = await base.snapshot(id: id, policy: .cacheOnly).value
                else { return try await edit(id, mode, change) }
                change(&note)
                let answer = await remote.make(.edit(note, of: nil, validator: nil))
                return WriteReceipt { .delivered(answer.value) }
            }
        },
        mutant(
            "sends again when who waits has gone",
            breaks: "a caller that is cancelled during delivery does not revert its change"
        ) { notes in
            notes.edit = { [edit = notes.edit, again = notes.editByID] (note, shown, mode) async throws(WriteFailure) in
                let receipt = try await edit(note, shown, mode)
                return Task.isCancelled ? try await again(note.id, mode) { $0 = note } : receipt
            }
        },
    ]

    static let optimistic: [Mutant] = [
        mutant("does not say what is pending", breaks: atOnce) { notes in
            notes.one = { [base = notes.base] id, policy in
                let answer = await base.snapshot(id: id, policy: policy)
                return Snapshot(kept: answer.kept?.pending(false), error: answer.error, fetch: answer.fetch)
            }
        },
        mutant("shows early what is to be confirmed", breaks: atOnce) { notes in
            notes.edit = { [edit = notes.edit] (note, shown, _) async throws(WriteFailure) in
                try await edit(note, shown, .optimistic)
            }
        },
        mutant(
            "shows additions and deletions late",
            breaks: "optimistic additions and deletions are shown at once, also in lists"
        ) { notes in
            notes.add = { [add = notes.add] (note, _) async throws(WriteFailure) in try await add(note, .confirmed) }
            notes.delete = { [delete = notes.delete] (id, _) async throws(WriteFailure) in
                try await delete(id, .confirmed)
            }
        },
        mutant(
            "ends when something is pending",
            breaks: "an observer sees an optimistic change, and sees it reverted after a rejection"
        ) { notes in
            notes.observed = { [base = notes.base] id, policy in
                base.observe(id: id, policy: policy).changed { { $0.kept?.isPending == true ? nil : $0 } }
            }
        },
        mutant("asks the service past what is pending", breaks: "a refetch does not overwrite an optimistic change") {
            notes in
            notes.one = { [base = notes.base, remote = notes.remote] id, policy in
                policy == .networkOnly ? await remote.get(id, .reload) : await base.snapshot(id: id, policy: policy)
            }
        },
        mutant(
            "overlays the whole", breaks: "a rejected change reverts its own fields only",
            codec: Codec(encode: Note.codec.encode, decode: Note.codec.decode), { _ in }),
    ]

    private static let atOnce = "an optimistic change is read at once, and a confirmed one is not"
}
