/// A list with an optional notice in its own section, above or below all others.
public struct NoticedList<Base: ListSource>: ListDecorator {
    /// The end of the list at which the notice stands.
    public enum Edge: Sendable, Hashable { case top, bottom }

    public let base: Base
    /// The notice; nil if the list equals its base.
    public let notice: ListNotice?
    /// The index of the notice's section. Without a notice it is `Int.max`, behind every section.
    @usableFromInline let noticeSection: Int

    /// Creates a list with a notice.
    ///
    /// - Parameter notice: the notice. Its number is replaced by the number of this layer.
    public init(_ base: Base, notice: ListNotice?, at edge: Edge = .top) {
        self.base = base
        self.notice = notice.map { ListNotice(id: .init($0.kind, number: base.noticeLayers), $0.text) }
        noticeSection = notice == nil ? .max : edge == .top ? 0 : base.sectionCount
    }

    @inlinable public func section(ofBase section: Int) -> Int { section < noticeSection ? section : section &+ 1 }

    @inlinable public func baseSection(of section: Int) -> Int? {
        // Sections behind the notice are shifted by one.
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
    /// The number of `NoticedList` layers in this list.
    ///
    /// Layers without a notice count too. Otherwise a notice that appears would change the ids of
    /// the notices in outer layers.
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

/// A `NoticedList` with any base.
private protocol NoticeLayer {}

extension NoticedList: NoticeLayer {}
