internal import WharfCore

extension ModelCache {
    /// An answer after the cache has applied it.
    ///
    /// It is a reference, because a thousand callers may share it.
    final class AppliedAnswer: Sendable {
        let raw: Snapshot<Value>
        /// The newest value that was known after the answer, with the error of the answer.
        let merged: Snapshot<Value>
        /// Whether the answer was not taken, because something newer was there already.
        let isLate: Bool
        /// When it was applied, in the order of requests.
        let moment: UInt64
        /// The look at the store that gave the answer; nil if it comes from elsewhere.
        let look: StoreRead<Value>?
        /// The call of the source that a look has begun; nil if no request can continue it.
        let descent: Descent<Value>?

        init(
            _ answer: MarkedAnswer<Value>, _ merged: Snapshot<Value>, _ mode: CacheMode?, isLate: Bool,
            at moment: UInt64
        ) {
            raw = answer.snapshot
            self.merged = merged
            // A failure says nothing about the value, so no value is newer than it.
            self.isLate = isLate && (answer.snapshot.kept != nil || answer.snapshot.error?.isAnswer == true)
            self.moment = moment
            look = mode == .storedOnly ? answer.look : nil
            descent = answer.descent
        }
    }
}

extension ModelCache.Entry {
    /// Returns the snapshot for an observer whose look has landed.
    ///
    /// Something newer may have come since. So the look counts only if the key is still as the look
    /// has left it. Otherwise an old value could be the observer's last snapshot.
    func state(after look: ModelCache.AppliedAnswer) -> Snapshot<Value> {
        state(after: look.merged, isOutdated: look.isLate || changed > look.moment)
    }

    /// Returns the state of the key after an answer, with the error of the answer.
    func state(after merged: Snapshot<Value>, isOutdated: Bool) -> Snapshot<Value> {
        guard isOutdated else { return merged }
        let error = merged.error
        // `nothingKept` and a late refusal say nothing about the state now.
        let stays = error.map { $0.code != .nothingKept && !$0.isAnswer } ?? false
        return Snapshot(kept: kept?.fromMemory, error: stays ? error : kept == nil ? .nothingKept : nil)
    }
}
