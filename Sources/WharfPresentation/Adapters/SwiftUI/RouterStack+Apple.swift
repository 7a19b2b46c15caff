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
        .sheet(item: router.modal(at: 0, over: [])) { modal in
            ModalStack(router: router, below: [], modal: modal, destination: destination)
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
    /// The roots of the modals below.
    let below: [R]
    let modal: Modal<R>
    let destination: (R) -> Destination

    var body: some View {
        let _ = router.state
        let roots = below + [modal.root]
        NavigationStack(path: router.path(ofModal: roots)) {
            destination(modal.root).navigationDestination(for: R.self, destination: destination)
        }
        .sheet(item: router.modal(at: roots.count, over: roots)) { modal in
            ModalStack(router: router, below: roots, modal: modal, destination: destination)
        }
    }
}

// A sheet that goes away lives on for a while. It must not show, or write, what belongs to the one that takes its place.
extension Router {
    /// One modal and those over it, as a sheet knows it: by nil it says that the user has pulled it down.
    func modal(at depth: Int, over roots: [R]) -> Binding<Modal<R>?> {
        Binding { @MainActor [self] in
            shows(roots) && depth < modals.count ? modals[depth] : nil
        } set: { @MainActor [self] modal in
            guard modal == nil, shows(roots), depth < modals.count else { return }
            modals = Array(modals.prefix(depth))
        }
    }

    /// Of the modal with the last of these roots.
    func path(ofModal roots: [R]) -> Binding<[R]> {
        let depth = roots.count - 1
        return Binding { @MainActor [self] in
            shows(roots) ? modals[depth].stack : []
        } set: { @MainActor [self] stack in
            guard shows(roots) else { return }
            modals[depth].stack = stack
        }
    }

    private func shows(_ roots: [R]) -> Bool { modals.prefix(roots.count).map(\.root) == roots }
}
#endif
