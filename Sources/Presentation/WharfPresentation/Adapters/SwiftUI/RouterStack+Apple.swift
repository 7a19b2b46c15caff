#if canImport(SwiftUI)
public import SwiftUI

/// A `NavigationStack` that shows a router's stack and its modals.
///
/// Use it in an app without tabs, and ``RouterTabs`` in an app with tabs. A modal is a sheet or a
/// full-screen cover by its ``Modal/style``. macOS has no covers, so there each modal is a sheet.
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
/// When the user goes back or dismisses a sheet, the router's state changes accordingly.
public struct RouterStack<R: Route, Root: View, Destination: View>: View {
    private let router: Router<R>
    private let root: Root
    private let destination: (R) -> Destination

    /// Creates a stack over a root view.
    ///
    /// - Parameters:
    ///   - root: the view at the bottom of the stack.
    ///   - destination: the view of a route that is pushed or presented.
    public init(
        _ router: Router<R>, @ViewBuilder root: () -> Root,
        @ViewBuilder destination: @escaping (R) -> Destination
    ) {
        self.router = router
        self.root = root()
        self.destination = destination
    }

    public var body: some View {
        // Registers this view as an observer: reads inside the bindings below are not tracked.
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

/// A modal with its pushed routes, and the modals above it.
struct ModalStack<R: Route, Destination: View>: View {
    let router: Router<R>
    /// The roots of the modals below this one.
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
    /// Presents the modal above the modals with these roots, as a sheet or as a cover.
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

// A dismissed sheet lives on for a while. It must not read or write the state of the modal that
// replaces it, so each binding compares the roots first.
extension Router {
    /// A binding to one modal, for `sheet(item:)`. Setting nil dismisses it and the modals above.
    ///
    /// - Parameter styles: the styles that this kind of presentation shows.
    func modal(at depth: Int, over roots: [R], styles: [ModalStyle]) -> Binding<Modal<R>?> {
        Binding { @MainActor [self] in
            shows(roots) && depth < modals.count && styles.contains(modals[depth].style) ? modals[depth] : nil
        } set: { @MainActor [self] modal in
            // Only a dismissal comes from SwiftUI. The sheet of the other style also sets nil, and
            // must not dismiss this modal.
            guard modal == nil, shows(roots), depth < modals.count, styles.contains(modals[depth].style) else {
                return
            }
            modals = Array(modals.prefix(depth))
        }
    }

    /// A binding to the pushed routes of the modal with the last of these roots.
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
