internal import WharfHTTP

/// Reports how much of a body was sent.
struct SendingReport: Sendable {
    let total: Int64
    let onProgress: @Sendable (TransferProgress) -> Void

    func sent(_ completed: Int64) { onProgress(TransferProgress(completed: completed, total: total)) }
}
