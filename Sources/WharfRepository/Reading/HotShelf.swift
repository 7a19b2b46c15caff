internal import Synchronization
public import WharfCore
internal import WharfPrimitives

/// The part of a shelf that answers by itself: what is current, by the text of its id, ready to be handed out.
///
/// Nothing in it is generic: generic code that lies in another module than its model is not compiled for it, and costs ten times as
/// much. The shelf writes to it under its own lock; readers take this one's only.
@usableFromInline final class HotShelf: Sendable {
    /// A snapshot in a box, and until when it is fresh.
    final class Hit: Sendable {
        let box: any AnyObject & Sendable
        let staleAt: WallTime?
        fileprivate let isUsed = Atomic(false)

        init(_ box: any AnyObject & Sendable, staleAt: WallTime?) {
            self.box = box
            self.staleAt = staleAt
        }
    }

    private let hits = Mutex<[UTF8Key: Hit]>([:])
    private let storeChanges: EntityChanges.PendingFlag
    private let shownChanges: EntityChanges.PendingFlag
    private let clock: any WallClock

    /// - Parameters:
    ///   - store: what changes in the store.
    ///   - shown: what is on its way and shown over it.
    init(_ store: EntityChanges, _ shown: EntityChanges, clock: any WallClock) {
        self.storeChanges = store.pendingFlag
        self.shownChanges = shown.pendingFlag
        self.clock = clock
    }

    /// What the policy takes without asking anybody; nil also where the store has said that something changed, which has to be looked
    /// at first.
    @usableFromInline func hit(_ id: String, _ policy: ReadPolicy) -> (any AnyObject & Sendable)? {
        let needsFresh = policy == .standard
        guard needsFresh || policy == .cacheFirst || policy == .cacheOnly else { return nil }
        if storeChanges.isSet || shownChanges.isSet { return nil }
        guard let hit = hits.withLock({ $0[UTF8Key(id)] }) else { return nil }
        if needsFresh {
            guard let staleAt = hit.staleAt, clock.now() < staleAt else { return nil }
        }
        hit.isUsed.store(true, ordering: .relaxed)
        return hit.box
    }

    func put(_ hit: Hit, for text: UTF8Key) {
        hits.withLock { $0[text] = hit }
    }

    func remove(_ text: UTF8Key) {
        hits.withLock { _ = $0.removeValue(forKey: text) }
    }

    /// Whether it was handed out since this was asked last.
    func takeUse(of text: UTF8Key) -> Bool {
        hits.withLock { $0[text] }?.isUsed.exchange(false, ordering: .relaxed) ?? false
    }
}

/// Holds a snapshot where its type can't be named.
@usableFromInline final class SnapshotBox<Value: Sendable>: Sendable {
    @usableFromInline let snapshot: Snapshot<Value>

    init(_ snapshot: Snapshot<Value>) {
        self.snapshot = snapshot
    }
}

extension Snapshot {
    /// - Parameter box: a `SnapshotBox` of this very type.
    @inlinable init(in box: any AnyObject & Sendable) {
        // A hot shelf belongs to one repository, which puts boxes of its own model into it and no others.
        self = unsafeDowncast(box, to: SnapshotBox<Value>.self).snapshot
    }
}

extension Shelf {
    /// Hands what is current under a key to the hot shelf as well.
    func warm(_ hot: HotShelf, _ text: UTF8Key, _ kept: Kept) {
        hot.put(.init(SnapshotBox(Snapshot(kept: kept)), staleAt: kept.staleAt), for: text)
    }
}
