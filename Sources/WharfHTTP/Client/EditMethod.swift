internal import Synchronization
internal import WharfCore

/// How an edit is sent to a service.
///
/// ```swift
/// let notes = stack.repository(.notes, at: "notes", editing: .patch(.mergePatch), payload: NotePayload.self, …)
/// ```
public enum EditMethod: Hashable, Sendable {
    /// The whole payload by PUT. A service that keeps members that the app does not know loses
    /// them.
    case put
    /// The difference by PATCH: members that the app has not changed, or does not know, stay.
    ///
    /// - Parameter orPut: whether edits go by PUT as soon as the service has answered 405, 415 or
    ///   501 to a PATCH.
    case patch(PatchFormat, orPut: Bool = false)

    /// Sends edits by PATCH until the service says that it does not understand that, and by PUT
    /// from then on.
    ///
    /// A service that remembers keys may have remembered its refusal. So PUT has keys of its own.
    static func fallingBack<Model>(
        from patch: @escaping RemoteSource<Model>.Write, to put: @escaping RemoteSource<Model>.Write
    ) -> RemoteSource<Model>.Write {
        let isRefused = Refusal()
        return { change, key in
            guard case .edit = change else { return await put(change, key) }
            if !isRefused.isSet {
                let answer = await patch(change, key)
                guard let status = answer.error?.response?.status.code, [405, 415, 501].contains(status) else {
                    return answer
                }
                isRefused.set()
            }
            return await put(change, key.map { IdempotencyKey($0.text + "-put") })
        }
    }

    private final class Refusal: Sendable {
        private let state = Atomic(false)

        var isSet: Bool { state.load(ordering: .relaxed) }
        func set() { state.store(true, ordering: .relaxed) }
    }
}
