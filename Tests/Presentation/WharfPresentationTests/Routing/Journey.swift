import WharfPresentation

/// A router whose guards, events and failures the test can see.
@MainActor
final class Journey {
    var isSignedIn = false
    var events: [NavigationEvent<AppRoute>] = []
    var failures: [RoutingError] = []
    /// Runs in the middle of an event.
    var meanwhile: () -> Void = {}
    private(set) var asked: [AppRoute] = []
    private let start: RouterState<AppRoute>

    init(_ start: RouterState<AppRoute> = RouterState()) { self.start = start }

    private(set) lazy var router = Router<AppRoute>(
        start,
        guards: [
            { [unowned self] in
                asked.append($0)
                return decide($0)
            }
        ],
        opening: start.tabs.isEmpty ? Self.opening : nil,
        onFailure: { [unowned self] in failures.append($0) },
        willNavigate: { [unowned self] in
            events.append($0)
            meanwhile()
        })

    private static let opening: @MainActor (AppRoute) -> Navigation<AppRoute> = { route in
        route == .search(text: "modal", page: nil) ? .present(route) : .push(route)
    }

    private func decide(_ route: AppRoute) -> GuardDecision<AppRoute> {
        switch route {
        case .profile: isSignedIn ? .allow : .hold(presenting: .signIn)
        case .collection(.new): isSignedIn ? .allow : .hold()
        case .collection(.allTime): .redirect(to: .film(id: 1))
        // An endless cycle.
        case .film(id: -1): .redirect(to: .film(id: -2))
        case .film(id: -2): .redirect(to: .film(id: -1))
        case .film(let id) where id < -100: .redirect(to: .film(id: id - 1))
        case .review(film: 666, _): .refuse("nobody may see it")
        case .signIn: .refuse("it is shown by a guard alone")
        default: .allow
        }
    }

    func forgetAsked() { asked = [] }

    /// The start and the end of each event.
    var ways: [[AppRoute?]] { events.map { [$0.from, $0.to] } }
}
