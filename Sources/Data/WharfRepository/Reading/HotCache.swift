internal import Synchronization
public import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// Current snapshots by the text of the id, for reads past the model cache.
///
/// Nothing in it is generic: generic code of another module than the model's is not specialised for
/// the model, and costs ten times as much. The model cache writes to it while it holds its own
/// lock. A reader takes the lock of the hot cache only.
@usableFromInline final class HotCache: Sendable {
    /// A boxed snapshot, and the time until which it is fresh.
    final class Hit: Sendable {
        let box: any AnyObject & Sendable
        let staleAt: WallTime?
        fileprivate let isUsed = Atomic(false)

        init(_ box: any AnyObject & Sendable, staleAt: WallTime?) {
            self.box = box
            self.staleAt = staleAt
        }
    }

    // Lock order: the model cache, then this one. A reader takes this one alone.
    private let hits = Mutex<[UTF8Key: Hit]>([:])
    private let storeChanges: EntityFeed.PendingFlag
    private let shownChanges: EntityFeed.PendingFlag
    private let clock: any WallClock

    /// - Parameters:
    ///   - store: the changes to the store.
    ///   - shown: the changes to the pending changes, which are shown over it.
    init(_ store: EntityFeed, _ shown: EntityFeed, clock: any WallClock) {
        self.storeChanges = store.pendingFlag
        self.shownChanges = shown.pendingFlag
        self.clock = clock
    }

    /// Returns the snapshot, if the policy asks neither the store nor the network.
    ///
    /// nil if the store has told of any change: the model cache has to catch up first.
    @usableFromInline func hit(_ id: String, _ policy: ReadPolicy) -> (any AnyObject & Sendable)? {
        let needsFresh = policy == .standard
        guard needsFresh || policy == .cacheFirst || policy == .cacheOnly else { return nil }
        // A commit sets its flag before it returns. A caller that has just written therefore never
        // gets the value from before its own write.
        if storeChanges.isSet || shownChanges.isSet { return nil }
        guard let hit = hits.withLock({ $0[UTF8Key(id)] }) else { return nil }
        if needsFresh {
            guard let staleAt = hit.staleAt, clock.now() < staleAt else { return nil }
        }
        // Relaxed: the mark only orders evictions, and a lost one costs one decoding.
        hit.isUsed.store(true, ordering: .relaxed)
        return hit.box
    }

    func put(_ hit: Hit, for text: UTF8Key) {
        hits.withLock { $0[text] = hit }
    }

    func remove(_ text: UTF8Key) {
        hits.withLock { _ = $0.removeValue(forKey: text) }
    }

    /// Returns whether the snapshot was handed out since the last call.
    func takeUse(of text: UTF8Key) -> Bool {
        hits.withLock { $0[text] }?.isUsed.exchange(false, ordering: .relaxed) ?? false
    }
}

/// A box for a snapshot, for code that can't name its type.
@usableFromInline final class SnapshotBox<Value: Sendable>: Sendable {
    @usableFromInline let snapshot: Snapshot<Value>

    init(_ snapshot: Snapshot<Value>) {
        self.snapshot = snapshot
    }
}

extension Snapshot {
    /// - Parameter box: a `SnapshotBox` of this very type.
    @inlinable init(in box: any AnyObject & Sendable) {
        // A hot cache belongs to one repository, which puts boxes of its own model into it and no
        // others. So the type is right without a check.
        self = unsafeDowncast(box, to: SnapshotBox<Value>.self).snapshot
    }
}

extension ModelCache {
    /// Puts the current value of a key into the hot cache as well.
    func warm(_ hot: HotCache, _ text: UTF8Key, _ kept: Kept) {
        hot.put(.init(SnapshotBox(Snapshot(kept: kept)), staleAt: kept.staleAt), for: text)
    }
}
