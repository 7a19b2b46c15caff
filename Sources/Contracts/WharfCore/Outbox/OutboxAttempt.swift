/// Whether the current task delivers an entry of an outbox.
///
/// An outbox retries with its own backoff and with the pauses that the receiver asks for. A retry
/// in a lower layer would send requests that the outbox does not count. Its pause would look like a
/// request that hangs.
package enum OutboxAttempt {
    @TaskLocal package static var isCurrent = false
}
