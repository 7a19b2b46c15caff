/// Whether a law is examined by a mutant now: a conformer that is known to break it.
///
/// A law waits without a limit for what a correct conformer does, or it would fail that one on a
/// slow machine. A mutant may never do it, so there the wait ends.
package enum MutantProof {
    /// How many times as long a law and its mutant give others the chance to come; nil where no
    /// mutant is to break the law.
    @TaskLocal package static var effort: Int?

    /// A mutant that is wrong by a race is not caught each time, and on a busy machine less often:
    /// then it is tried again, for longer. Only one that is right after all takes all of them.
    package static let efforts = [1, 1, 1, 4, 16, 64]
}
