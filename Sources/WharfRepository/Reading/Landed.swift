internal import WharfCore

extension ModelCache {
    /// An answer that was applied. A reference, because a thousand callers may share it.
    final class Landed: Sendable {
        let raw: Snapshot<Value>
        /// The newest value that was known after the answer, with the error of the answer.
        let merged: Snapshot<Value>
        /// Whether something newer than the answer was there already: then it was not taken.
        let isLate: Bool
        /// When it was applied, in the order of requests.
        let moment: UInt64
        /// The look at the store that it comes from; nil if it comes from anywhere else.
        let look: Look<Value>?

        init(
            _ answer: Answer<Value>, _ merged: Snapshot<Value>, _ mode: CacheMode?, isLate: Bool, at moment: UInt64
        ) {
            raw = answer.snapshot
            self.merged = merged
            // A failure says nothing of the value, so nothing is newer than it.
            self.isLate = isLate && (answer.snapshot.kept != nil || answer.snapshot.error?.isAnswer == true)
            self.moment = moment
            look = mode == .storedOnly ? answer.look : nil
        }
    }
}

extension ModelCache.Entry {
    /// The snapshot for an observer whose look or request has landed before.
    ///
    /// The observer's task runs after the answer was applied, and something newer may have come
    /// between the two. So the answer counts only if the key is still as the answer has left it.
    /// Otherwise an old value could be the observer's last snapshot.
    func state(after landed: ModelCache.Landed) -> Snapshot<Value> {
        guard isOutdated(landed) else { return landed.merged }
        let error = landed.merged.error
        // Neither that nothing was found nor a late refusal says anything of the state now.
        let stays = error.map { $0.code != .nothingKept && !$0.isAnswer } ?? false
        return Snapshot(kept: kept?.fromMemory, error: stays ? error : kept == nil ? .nothingKept : nil)
    }

    func isOutdated(_ landed: ModelCache.Landed) -> Bool { landed.isLate || changed > landed.moment }
}
