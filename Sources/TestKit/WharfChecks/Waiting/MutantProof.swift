/// Whether a law is being checked with a mutant.
///
/// A mutant is a conformer that is known to break the law.
/// A law waits without a limit for the events of a correct conformer, as it would otherwise fail on
/// a slow machine. A mutant may never cause the event, so the wait is limited.
package enum MutantProof {
    /// The factor for the number of chances that a law and its mutant give to other tasks. It is
    /// nil if no mutant is to break the law.
    @TaskLocal package static var effort: Int?

    /// The factors of repeated attempts. A race in a mutant is not detected each time, and less
    /// often on a busy machine. Only a mutant that is correct after all takes all attempts.
    package static let efforts = [1, 1, 1, 4, 16, 64]
}
