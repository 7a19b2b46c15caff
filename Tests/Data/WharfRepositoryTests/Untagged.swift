import Testing
import WharfCore
import WharfCoreLaws

extension Snapshot {
    /// The snapshot as a service without entity tags would return it.
    var untagged: Snapshot {
        guard let kept else { return self }
        return Snapshot(kept: .init(value: kept.value, source: kept.source, asOf: kept.asOf), error: error)
    }
}

extension RemoteSource<WriteLaws.Note> {
    /// The same service without entity tags, so that it accepts every edit.
    var withoutTags: RemoteSource {
        guard let write else { return self }
        let (get, list) = (get, list)
        return RemoteSource(
            get: { await get($0, $1).untagged }, list: list
        ).writing { change, key in
            switch change {
            case .edit(let note, _, let validator):
                if validator != nil { Issue.record("an entity tag was sent that the service has not given") }
                return await write(.edit(note, of: nil, validator: nil), key).untagged
            default: return await write(change, key).untagged
            }
        }
    }
}
