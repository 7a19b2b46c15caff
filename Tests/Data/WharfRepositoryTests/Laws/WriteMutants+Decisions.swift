import Synchronization
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfRepository

extension WriteMutants {
    static let decisions: [Mutant] = [
        mutant(
            "takes no word for the title alone", breaks: "a delivered change is found by the next read",
            source: { change, service in
                let answer = await service.make(change)
                guard case .edit(let note, _, _) = change, answer.kept == nil, answer.error == nil else {
                    return answer
                }
                let title = Note(id: note.id, title: note.title)
                return Snapshot(kept: .init(value: title, source: .network, asOf: .distantFuture))
            }, { _ in }),
        mutant("says once what the service made of it", breaks: whatItMade) { notes in
            notes.edit = { [edit = notes.edit] (note, shown, mode) async throws(WriteFailure) in
                let receipt = try await edit(note, shown, mode)
                let isFirst = Mutex(true)
                return WriteReceipt {
                    let outcome = await receipt.delivery()
                    let wasFirst = isFirst.withLock { isFirst in
                        defer { isFirst = false }
                        return isFirst
                    }
                    return wasFirst ? outcome : .delivered(nil)
                }
            }
        },
        mutant("forgets what the service made of the first change", breaks: whatItMade) { notes in
            let isFirst = Mutex(true)
            notes.edit = { [edit = notes.edit] (note, shown, mode) async throws(WriteFailure) in
                let wasFirst = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                return try await edit(note, shown, mode).saying { outcome in
                    if wasFirst, case .delivered = outcome { .delivered(nil) } else { outcome }
                }
            }
        },
        mutant("takes a method that is refused for a delivery", breaks: rejected) {
            $0.says { outcome in
                if case .rejected(let failure) = outcome, failure.code == .refused { .delivered(nil) } else { outcome }
            }
        },
        mutant("does not give the answer that rejects", breaks: rejected) {
            $0.says { outcome in
                guard case .rejected(let failure) = outcome else { return outcome }
                return .rejected(WriteFailure(failure.code, message: failure.message))
            }
        },
        mutant(
            "sends no validator", breaks: "an edit over a foreign change is a conflict that has theirs",
            source: { change, service in
                switch change {
                case .edit(let note, _, _): await service.make(.edit(note, of: nil, validator: nil))
                case .delete(let id, _): await service.make(.delete(id, validator: nil))
                case .add: await service.make(change)
                }
            }, { _ in }),
        mutant(
            "puts the whole of a form over what has come since",
            breaks: "an edit never reverts what another client has changed since the model was shown"
        ) { notes in
            let base = notes.base
            notes.edit = { (note, shown, mode) async throws(WriteFailure) in
                try await base.edit(note.id, mode) { $0 = note }
            }
        },
        mutant(
            "takes no answer for a delivery",
            breaks: "an undelivered edit throws and changes nothing, or waits in the outbox"
        ) {
            notes in
            notes.edit = { [edit = notes.edit] (note, shown, mode) async throws(WriteFailure) in
                do throws(WriteFailure) { return try await edit(note, shown, mode) } catch {
                    return WriteReceipt { .delivered(note) }
                }
            }
        },
        mutant(
            "is surprised by what is gone",
            breaks: "an edit of a deleted model is a conflict without theirs, and its deletion is delivered"
        ) { notes in
            notes.delete = { [delete = notes.delete] (id, mode) async throws(WriteFailure) in
                try await delete(id, mode).saying { outcome in
                    guard case .delivered = outcome else { return outcome }
                    return .rejected(WriteFailure(.notFound, message: "gone"))
                }
            }
        },
    ]

    private static let whatItMade = "a receipt gives the model that the service answered with, each time"
    private static let rejected = "a rejected change changes nothing and gives its reason"
}
