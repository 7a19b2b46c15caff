/// The matched, moved and changed sections.
@usableFromInline struct SectionDiff {
    /// By old index the new index, -1 for deleted sections.
    @usableFromInline let newOfOld: ContiguousArray<Int>
    /// By new index the old index, -1 for inserted sections.
    @usableFromInline let oldOfNew: ContiguousArray<Int>
    @usableFromInline let isMoved: ContiguousArray<Bool>
    /// New indices of the sections with a new header or footer.
    @usableFromInline let changed: [Int]

    @inlinable init<ID, Element>(from old: [ListSection<ID, Element>], to new: [ListSection<ID, Element>]) {
        var pairing = Pairing<ID>(oldCount: old.count, newCount: new.count)
        pairing.pair(old, from: 0, new, from: 0) { $0.id }
        newOfOld = ContiguousArray(pairing.newOfOld.map(Int.init))
        oldOfNew = ContiguousArray(pairing.oldOfNew.map(Int.init))
        var isMoved = ContiguousArray(repeating: false, count: new.count)
        var order = Order()
        order.mark(&isMoved, in: new.indices, of: pairing.oldOfNew, within: old.indices)
        self.isMoved = isMoved
        changed = new.indices.filter { [oldOfNew] index in
            let before = oldOfNew[index]
            guard before >= 0 else { return false }
            return old[before].header != new[index].header || old[before].footer != new[index].footer
        }
    }

    @inlinable var deleted: [Int] { newOfOld.indices.filter { newOfOld[$0] < 0 } }
    @inlinable var inserted: [Int] { oldOfNew.indices.filter { oldOfNew[$0] < 0 } }
    @inlinable var moved: [ListMove<Int>] {
        isMoved.indices.filter { isMoved[$0] }.map { ListMove(from: oldOfNew[$0], to: $0) }
    }
}
