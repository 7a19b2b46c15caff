/// navigationstack:
/// `@MainActor @preconcurrency struct NavigationStack<Data, Root> where Root : View`
@MainActor @preconcurrency public struct NavigationStack<Data, Root: View>: View {
    /// navigationstack/init(path:root:)-63x0h
    public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where
        Data: MutableCollection, Data: RandomAccessCollection, Data: RangeReplaceableCollection, Data.Element: Hashable
    {}

    public var body: Never { onlyTypeChecked() }
}

extension View {
    /// view/navigationdestination(for:destination:)
    public nonisolated func navigationDestination<D: Hashable, C: View>(
        for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View { Modified<Self>() }

    /// view/sheet(item:ondismiss:content:)
    public nonisolated func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View { Modified<Self>() }

    /// view/fullscreencover(item:ondismiss:content:)
    public nonisolated func fullScreenCover<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View { Modified<Self>() }

    /// view/tabitem(_:)
    public nonisolated func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View { Modified<Self>() }

    /// view/tag(_:includeoptional:)
    public nonisolated func tag<V: Hashable>(_ tag: V, includeOptional: Bool = true) -> some View {
        Modified<Self>()
    }
}

/// tabview:
/// `nonisolated struct TabView<SelectionValue, Content>`
/// `where SelectionValue : Hashable, Content : View`
public struct TabView<SelectionValue: Hashable, Content: View>: View {
    /// tabview/init(selection:content:)-72oub
    public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {}

    public var body: Never { onlyTypeChecked() }
}
