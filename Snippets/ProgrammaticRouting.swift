// Article A, "Programmatic routing in SwiftUI": views that do not depend on destinations. One
// description for link and route, sign-in first, an event before each navigation, push or modal.

// snippet.hide
import WharfPresentation

// snippet.show
enum AppRoute: Route {
    case film(id: Int)
    case search(text: String, page: Int?)
    case profile, signIn

    static let links = RouteTable<AppRoute>(host: "example.com", aliases: ["www.example.com"], appSchemes: ["demo"]) {
        LinkPath("film").segment(.int)
            .route(AppRoute.film) { if case .film(let id) = $0 { id } else { nil } }
        LinkPath("search").query("q", .string).query("page", optional: .int)
            .route(AppRoute.search) { if case .search(let text, let page) = $0 { (text, page) } else { nil } }
        LinkPath("profile").route(.profile)
        LinkPath("sign-in").route(.signIn)
    }
}

@MainActor final class Session {
    var isSignedIn = false
}

let session = Session()
let router = Router<AppRoute>(
    guards: [{ route in route == .profile && !session.isSignedIn ? .hold(presenting: .signIn) : .allow }],
    opening: { route in if case .search = route { .present(route) } else { .push(route) } },
    willNavigate: { event in
        let campaign = event.link?.query.first { $0.name == "utm_source" }?.value
        print("to \(event.to.map { "\($0)" } ?? "the root")\(campaign.map { ", by \($0)" } ?? "")")
    })

// A link is pushed, or presented as a modal if the app says so. Unknown query items appear only in
// the event.
try router.open("https://www.example.com/film/42/?utm_source=mail")
try router.open("demo://search?q=caf%C3%A9+%26+bar")
if let modal = router.modal { print("modal:", try modal.root.link()) }
router.dismiss()

// The link is held while the sign-in is shown. Then the router continues with it, once.
try router.open("https://example.com/profile")
session.isSignedIn = true
try router.resume()
print("stack:", try router.stack.map { "\(try $0.link())" })

// A link to an unknown host is left to the browser.
do {
    try router.open("https://example.org/film/42")
} catch {
    print(error)
}

// The router adopts the changes of a container; here the user swipes back.
router.stack.removeLast()
print("saved:", router.save().text, terminator: "")

// snippet.hide
// Output:
// to film(id: 42), by mail
// to search(text: "café & bar", page: nil)
// modal: https://example.com/search?q=caf%C3%A9%20%26%20bar
// to film(id: 42)
// to signIn
// to profile
// stack: ["https://example.com/film/42", "https://example.com/profile"]
// unknownHost: expected a link to example.com, www.example.com, found https://example.org/film/42; open it in a browser, or add the host to AppRoute.links
// to film(id: 42)
// saved: push https://example.com/film/42
