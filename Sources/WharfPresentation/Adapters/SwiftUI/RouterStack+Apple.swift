#if canImport(SwiftUI)
public import SwiftUI

/// A `NavigationStack` that shows what a router says, with its modals as sheets, one over the other.
///
/// ```swift
/// RouterStack(router) { HomeView() } destination: { route in
///     switch route {
///     case .film(let id): FilmView(id: id)
///     case .search(let text, _): SearchView(text: text)
///     }
/// }
/// ```
///
/// When the user goes back or pulls a sheet down, the router is told.
public struct RouterStack<R: Route, Root: View, Destination: View>: View {
    private let router: Router<R>
    private let root: Root
    private let destination: (R) -> Destination

    public init(
        _ router: Router<R>, @ViewBuilder root: () -> Root,
        @ViewBuilder destination: @escaping (R) -> Destination
    ) {
        self.router = router
        self.root = root()
        self.destination = destination
    }

    public var body: some View {
        // Read here: what the bindings read later is not observed for this view.
        let _ = router.state
        NavigationStack(path: path) {
            root.navigationDestination(for: R.self, destination: destination)
        }
        .sheet(item: router.modal(at: 0)) { modal in
            ModalStack(router: router, depth: 0, modal: modal, destination: destination)
        }
    }

    private var path: Binding<[R]> {
        Binding { @MainActor [router] in
            router.stack
        } set: { @MainActor [router] in
            router.stack = $0
        }
    }
}

/// A modal, what was pushed on it, and the modals over it.
struct ModalStack<R: Route, Destination: View>: View {
    let router: Router<R>
    let depth: Int
    let modal: Modal<R>
    let destination: (R) -> Destination

    var body: some View {
        let _ = router.state
        NavigationStack(path: router.path(ofModal: depth)) {
            destination(modal.root).navigationDestination(for: R.self, destination: destination)
        }
        .sheet(item: router.modal(at: depth + 1)) { modal in
            ModalStack(router: router, depth: depth + 1, modal: modal, destination: destination)
        }
    }
}

extension Router {
    /// One modal and those over it, as a sheet knows it: by nil it says that the user has pulled it down.
    func modal(at depth: Int) -> Binding<Modal<R>?> {
        Binding { @MainActor [self] in
            depth < modals.count ? modals[depth] : nil
        } set: { @MainActor [self] modal in
            guard modal == nil, depth < modals.count else { return }
            modals = Array(modals.prefix(depth))
        }
    }

    /// Empty while the sheet goes away.
    func path(ofModal depth: Int) -> Binding<[R]> {
        Binding { @MainActor [self] in
            depth < modals.count ? modals[depth].stack : []
        } set: { @MainActor [self] stack in
            guard depth < modals.count else { return }
            modals[depth].stack = stack
        }
    }
}
#endif
