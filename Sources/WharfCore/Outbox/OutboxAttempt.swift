/// Whether the current task delivers an entry of an outbox.
///
/// An outbox tries again by itself, with the pauses that the receiver asks for. A retry below it
/// would send more than the outbox counts, and its pause would look like a request that hangs.
package enum OutboxAttempt {
    @TaskLocal package static var isCurrent = false
}
