#if canImport(SwiftUI)
public import SwiftUI

/// A `TabView` that shows a router's tabs.
///
/// Each tab has a `NavigationStack` of its own.
///
/// ```swift
/// RouterTabs(router) { tab in
///     RouteView(tab)
/// } label: { tab in
///     Label(tab.title, systemImage: tab.image)
/// } destination: { route in
///     RouteView(route)
/// }
/// ```
///
/// When the user selects a tab, goes back or dismisses a modal, the router's state changes
/// accordingly.
public struct RouterTabs<R: Route, Root: View, TabLabel: View, Destination: View>: View {
    private let router: Router<R>
    private let root: (R) -> Root
    private let label: (R) -> TabLabel
    private let destination: (R) -> Destination

    /// Creates a tab view of a router.
    ///
    /// - Parameters:
    ///   - root: the first view of a tab, by the tab's root.
    ///   - label: the item of a tab in the tab bar.
    ///   - destination: the view of a route that is pushed or presented.
    public init(
        _ router: Router<R>, @ViewBuilder root: @escaping (R) -> Root,
        @ViewBuilder label: @escaping (R) -> TabLabel, @ViewBuilder destination: @escaping (R) -> Destination
    ) {
        self.router = router
        self.root = root
        self.label = label
        self.destination = destination
    }

    public var body: some View {
        // Registers this view as an observer: reads inside the bindings below are not tracked.
        let tabs = router.state.tabs
        TabView(selection: selection) {
            ForEach(tabs) { tab in
                NavigationStack(path: path(of: tab.root)) {
                    root(tab.root).navigationDestination(for: R.self, destination: destination)
                }
                .tabItem { label(tab.root) }
                .tag(R?.some(tab.root))
            }
        }
        .modals(of: router, over: [], destination: destination)
    }

    private var selection: Binding<R?> {
        Binding { @MainActor [router] in
            router.tab
        } set: { @MainActor [router] in
            router.tab = $0
        }
    }

    private func path(of tab: R) -> Binding<[R]> {
        Binding { @MainActor [router] in
            router[tab: tab]
        } set: { @MainActor [router] in
            router[tab: tab] = $0
        }
    }
}
#endif
