#if canImport(SwiftUI)
public import SwiftUI

/// A `NavigationStack` that shows the stack of a router, with its modals over it.
///
/// For an app without tabs; ``RouterTabs`` is for an app with tabs. Modals are sheets or
/// full-screen covers by their ``Modal/style``. On macOS, which has no covers, all are sheets.
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
        .modals(of: router, over: [], destination: destination)
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
        .modals(of: router, over: roots, destination: destination)
    }
}

extension View {
    /// The modal over those with these roots, as a sheet or as a cover.
    @ViewBuilder
    func modals<R: Route>(
        of router: Router<R>, over roots: [R], destination: @escaping (R) -> some View
    ) -> some View {
        let present = { (modal: Modal<R>) in
            ModalStack(router: router, below: roots, modal: modal, destination: destination)
        }
        #if os(macOS)
        sheet(item: router.modal(at: roots.count, over: roots, styles: ModalStyle.allCases), content: present)
        #else
        sheet(item: router.modal(at: roots.count, over: roots, styles: [.sheet]), content: present)
            .fullScreenCover(
                item: router.modal(at: roots.count, over: roots, styles: [.fullScreen]), content: present)
        #endif
    }
}

// A sheet that goes away lives on for a while. It must not show, or write, what belongs to the one
// that takes its place.
extension Router {
    /// One modal and those over it, as a sheet knows it: by nil it says that the user has pulled it
    /// down.
    ///
    /// - Parameter styles: of the modals that this kind of presentation shows.
    func modal(at depth: Int, over roots: [R], styles: [ModalStyle]) -> Binding<Modal<R>?> {
        Binding { @MainActor [self] in
            shows(roots) && depth < modals.count && styles.contains(modals[depth].style) ? modals[depth] : nil
        } set: { @MainActor [self] modal in
            guard modal == nil, shows(roots), depth < modals.count, styles.contains(modals[depth].style) else {
                return
            }
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
