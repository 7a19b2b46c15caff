/// A list with a notice in a section of its own, above or below all others, or without.
public struct NoticedList<Base: ListSource>: ListDecorator {
    public enum Edge: Sendable, Hashable { case top, bottom }

    public let base: Base
    /// Nil where there is nothing to be said: then this list is as its base.
    public let notice: ListNotice?
    /// Behind all sections that there can be where there is no notice.
    @usableFromInline let noticeSection: Int

    /// - Parameter notice: its number is that of this layer, whatever it was.
    public init(_ base: Base, notice: ListNotice?, at edge: Edge = .top) {
        self.base = base
        self.notice = notice.map { ListNotice(id: .init($0.kind, number: base.noticeLayers), $0.text) }
        noticeSection = notice == nil ? .max : edge == .top ? 0 : base.sectionCount
    }

    @inlinable public func section(ofBase section: Int) -> Int { section < noticeSection ? section : section &+ 1 }

    @inlinable public func baseSection(of section: Int) -> Int? {
        section < noticeSection ? section : section == noticeSection ? nil : section - 1
    }

    @inlinable public var sectionCount: Int { base.sectionCount + (notice == nil ? 0 : 1) }

    @inlinable public func rowCount(inSection section: Int) -> Int {
        guard let inner = baseSection(of: section) else { return notice == nil ? 0 : 1 }
        return base.rowCount(inSection: inner)
    }

    @inlinable public func row(at position: ListPosition) -> ListRow<Base.Element>? {
        guard let inner = basePosition(of: position) else {
            return position.row == 0 ? notice.map(ListRow.notice) : nil
        }
        return base.row(at: inner)
    }
}

extension NoticedList: IdentifiedSections where Base: IdentifiedSections {
    public func sectionID(_ section: Int) -> ListID<Base.SectionKey>? {
        guard let inner = baseSection(of: section) else { return notice.map { .notice($0.id) } }
        return base.sectionID(inner)
    }
}

extension NoticedList: SectionHeaders where Base: SectionHeaders {}
extension NoticedList: SectionFooters where Base: SectionFooters {}
extension NoticedList: ListHeader where Base: ListHeader {}
extension NoticedList: ListFooter where Base: ListFooter {}
extension NoticedList: EditableRows where Base: EditableRows {}
extension NoticedList: MovableRows where Base: MovableRows {}

extension ListSource {
    /// How many layers of this list can have a notice. Those without one count, too, so that no
    /// other is renamed when it comes.
    fileprivate var noticeLayers: Int {
        var count = 0
        var layer: any ListSource = self
        while let decorator = layer as? any ListDecorator {
            if decorator is any NoticeLayer { count += 1 }
            layer = decorator.base
        }
        return count
    }
}

/// A `NoticedList`, whatever its base.
private protocol NoticeLayer {}

extension NoticedList: NoticeLayer {}
