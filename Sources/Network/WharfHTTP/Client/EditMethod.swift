internal import Synchronization
internal import WharfCore

/// The HTTP method and body that send an edit to a service.
///
/// ```swift
/// let notes = stack.repository(.notes, at: "notes", editing: .patch(.mergePatch), payload: NotePayload.self, …)
/// ```
public enum EditMethod: Hashable, Sendable {
    /// PUT with the whole payload. Members that the app does not know are lost at the service.
    case put
    /// PATCH with the difference. Members that the app has not changed or does not know stay.
    ///
    /// - Parameter orPut: whether edits are sent by PUT once the service has answered 405, 415 or
    ///   501 to a PATCH.
    case patch(PatchFormat, orPut: Bool = false)

    /// Returns a write that sends edits by PATCH until the service refuses the method, then by PUT.
    ///
    /// PUT has idempotency keys of its own. A service that remembers keys may otherwise repeat its
    /// refusal of the PATCH.
    static func fallingBack<Model>(
        from patch: @escaping RemoteSource<Model>.Write, to put: @escaping RemoteSource<Model>.Write
    ) -> RemoteSource<Model>.Write {
        let isRefused = Refusal()
        return { change, key in
            guard case .edit = change else { return await put(change, key) }
            if !isRefused.isSet {
                let answer = await patch(change, key)
                // These statuses say that the method or its media type is not supported. Any other
                // error is that of the change.
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
