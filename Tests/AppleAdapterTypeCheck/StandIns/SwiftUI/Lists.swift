public import Foundation

/// list:
/// `@MainActor @preconcurrency struct List<SelectionValue, Content>`
/// `where SelectionValue : Hashable, Content : View`
@MainActor @preconcurrency public struct List<SelectionValue: Hashable, Content: View>: View {
    public var body: Never { onlyTypeChecked() }
}

extension List {
    /// list/init(selection:content:)-590zm: several rows
    public nonisolated init(selection: Binding<Set<SelectionValue>>?, @ViewBuilder content: () -> Content) {}
    /// list/init(selection:content:)-6r3hq: one row
    public nonisolated init(selection: Binding<SelectionValue?>?, @ViewBuilder content: () -> Content) {}
}

extension List where SelectionValue == Never {
    /// list/init(content:): `nonisolated init(@ViewBuilder content: () -> Content)`
    public nonisolated init(@ViewBuilder content: () -> Content) {}
}

/// section: `struct Section<Parent, Content, Footer>`
public struct Section<Parent, Content, Footer> {}

extension Section: View where Parent: View, Content: View, Footer: View {
    public var body: Never { onlyTypeChecked() }

    /// section/init(content:header:footer:)
    public nonisolated init(
        @ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent, @ViewBuilder footer: () -> Footer
    ) {}
}

/// foreach: `struct ForEach<Data, ID, Content> where Data : RandomAccessCollection, ID : Hashable`
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    /// foreach/data
    public var data: Data
}

extension ForEach: View where Content: View {
    public var body: Never { onlyTypeChecked() }
}

extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
    /// foreach/init(_:content:):
    /// `nonisolated init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)`
    public nonisolated init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.data = data
    }
}

extension ForEach: DynamicViewContent where Content: View {}

/// dynamicviewcontent: `protocol DynamicViewContent : View`
public protocol DynamicViewContent<Data>: View {
    associatedtype Data: Collection
    /// dynamicviewcontent/data
    var data: Self.Data { get }
}

extension DynamicViewContent {
    /// dynamicviewcontent/ondelete(perform:)
    public nonisolated func onDelete(perform action: ((IndexSet) -> Void)?) -> some DynamicViewContent {
        Modified<Self>()
    }

    /// dynamicviewcontent/onmove(perform:)
    public nonisolated func onMove(perform action: ((IndexSet, Int) -> Void)?) -> some DynamicViewContent {
        Modified<Self>()
    }
}

/// The result type of a modifier. SwiftUI hides its name.
struct Modified<Content: View>: View, DynamicViewContent {
    nonisolated init() {}

    var data: [Int] { [] }
    var body: Never { onlyTypeChecked() }
}

/// group/init(content:)
public struct Group<Content> {}

extension Group: View where Content: View {
    public var body: Never { onlyTypeChecked() }

    public nonisolated init(@ViewBuilder content: () -> Content) {}
}

extension View {
    /// view/onappear(perform:)
    public nonisolated func onAppear(perform action: (() -> Void)? = nil) -> some View { Modified<Self>() }

    /// view/refreshable(action:):
    /// `nonisolated func refreshable(action: @escaping @Sendable () async -> Void) -> some View`
    public nonisolated func refreshable(action: @escaping @Sendable () async -> Void) -> some View { Modified<Self>() }

    /// view/deletedisabled(_:): `nonisolated func deleteDisabled(_ isDisabled: Bool) -> some View`
    public nonisolated func deleteDisabled(_ isDisabled: Bool) -> some View { Modified<Self>() }

    /// view/movedisabled(_:): `nonisolated func moveDisabled(_ isDisabled: Bool) -> some View`
    public nonisolated func moveDisabled(_ isDisabled: Bool) -> some View { Modified<Self>() }
}
