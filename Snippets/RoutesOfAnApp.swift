// The links of a crowdfunding app: 62 descriptions with hosts, tails, queries and guards, tabs and
// full-screen covers.

// snippet.hide
import WharfPresentation

// snippet.show
// snippet.routes
enum AppRoute: Route {
    case home, activity, search(String?), me, signUp, logIn, verifyEmail, emailClick
    case discovery(category: String?, parent: String?, filters: [Link.QueryItem])
    case inbox, messages(thread: Int)
    case settings(Setting), notification(String, isOn: Bool)
    case user(String, UserPage), surveyOfUser(String, Int)
    case checkout(Int, Payment)
    case project(Project, Page, ref: String?)
    case help([String]), blog([String]), legal(Legal)

    enum Setting { case all, account, email, password, newsletters, privacy, help, payments }
    enum UserPage { case profile, backed, created, saved }
    enum Payment: String { case root, new, applePay = "apple-pay", storedCard = "use_stored_card" }
    enum Legal: String { case terms, privacy, cookies }
    struct Project: Hashable { var creator, slug: String }

    enum Page: Hashable {
        case root, campaign, comments, community, creatorBio, dashboard, environment, faqs, friends, messageCreator
        case rewards, risks, share, updates, useOfAI
        case thread(String, reply: String?)
        case thanks(checkout: Int, racing: Bool?)
        case pledge(Pledge)
        case reward(Int), survey(Int), update(Int), commentsOfUpdate(Int)
    }

    enum Pledge { case root, manage, edit, new, destroy, bigPrint, changeMethod }

    // snippet.end

    // snippet.table
    static let links = RouteTable<AppRoute>(
        host: "www.example.com", aliases: ["example.com"], appSchemes: ["crowd"]
    ) {
        // Hosts and tails: all links below them.
        LinkPath(hosts: "clicks.example.com", "emails.example.com").rest()
            .route({ _ in .emailClick }) { $0 == .emailClick ? [] : nil }
        LinkPath(hosts: "blog.example.com").rest()
            .route(AppRoute.blog) { if case .blog(let path) = $0 { path } else { nil } }
        LinkPath("help").rest().route(AppRoute.help) { if case .help(let path) = $0 { path } else { nil } }

        LinkPath().route(.home)
        LinkPath("activity").route(.activity)
        LinkPath("search").query("term", optional: .string)
            .route(AppRoute.search) { if case .search(let term) = $0 { .some(term) } else { nil } }
        LinkPath("signup").route(.signUp).unknownQueries(.refused(except: "utm_source"))
        LinkPath("authorize").route(.logIn)
        LinkPath("profile/me").route(.me)
        LinkPath("profile/verify_email").route(.verifyEmail)
        // An old link, which is read and never printed.
        LinkPath("profile").segment(.string).route({ .user($0, .profile) }) { _ in nil }
        LinkPath("messages").route(.inbox)
        LinkPath("messages").segment(.int)
            .route(AppRoute.messages) { if case .messages(let thread) = $0 { thread } else { nil } }
        LinkPath("legal").segment(.rawValue)
            .route(AppRoute.legal) { if case .legal(let text) = $0 { text } else { nil } }
        discoveryLinks
        settingLinks
        personLinks
        projectLinks
        pledgeLinks
    }
    // snippet.end

    private static let discoveryLinks: [RouteLink<AppRoute>] = [
        LinkPath("discover").remainingQuery()
            .route({ .discovery(category: nil, parent: nil, filters: $0) }) {
                if case .discovery(nil, nil, let filters) = $0 { filters } else { nil }
            },
        LinkPath("discover/categories").segment(.string).remainingQuery()
            .route({ .discovery(category: $0, parent: nil, filters: $1) }) {
                if case .discovery(let category?, nil, let filters) = $0 { (category, filters) } else { nil }
            },
        LinkPath("discover/categories").segment(.string).segment(.string).remainingQuery()
            .route({ .discovery(category: $1, parent: $0, filters: $2) }) {
                guard case .discovery(let category?, let parent?, let filters) = $0 else { return nil }
                return (parent, category, filters)
            },
    ]

    private static func setting(_ path: String, _ setting: Setting) -> RouteLink<AppRoute> {
        LinkPath("settings").path(path).route(.settings(setting))
    }

    private static let settingLinks: [RouteLink<AppRoute>] = [
        setting("", .all), setting("account", .account), setting("email", .email), setting("password", .password),
        setting("newsletters", .newsletters), setting("privacy", .privacy), setting("help", .help),
        setting("payment_methods", .payments),
        LinkPath("settings").segment(.string).segment(.bool)
            .route(AppRoute.notification) { if case .notification(let name, let on) = $0 { (name, on) } else { nil } },
    ]

    private static func user(_ path: String, _ page: UserPage) -> RouteLink<AppRoute> {
        LinkPath("users").segment(.string).path(path)
            .route({ .user($0, page) }) { if case .user(let name, page) = $0 { name } else { nil } }
    }

    private static let personLinks: [RouteLink<AppRoute>] = [
        user("", .profile), user("backed", .backed), user("created", .created), user("saved", .saved),
        LinkPath("users").segment(.string).path("surveys").segment(.int)
            .route(AppRoute.surveyOfUser) { if case .surveyOfUser(let user, let id) = $0 { (user, id) } else { nil } },
        LinkPath("checkouts").segment(.int).path("payments")
            .route({ .checkout($0, .root) }) { if case .checkout(let id, .root) = $0 { id } else { nil } },
        LinkPath("checkouts").segment(.int).path("payments").segment(.rawValue)
            .route(AppRoute.checkout) { if case .checkout(let id, let way) = $0 { (id, way) } else { nil } },
    ]

    private static let flag = LinkValue<Bool>(
        "1 or 0", parse: { ["1": true, "0": false][$0] }, print: { $0 ? "1" : "0" })
    private static let project = LinkPath("projects").segment(.string).segment(.string)

    private static func page(_ path: String, _ page: Page) -> RouteLink<AppRoute> {
        project.path(path).query("ref", optional: .string)
            .route({ .project(Project(creator: $0, slug: $1), page, ref: $2) }) {
                guard case .project(let project, page, let ref) = $0 else { return nil }
                return (project.creator, project.slug, ref)
            }
    }

    /// Describes a page with a number between `path` and `tail`.
    private static func numbered(
        _ path: String, tail: String = "", _ page: @escaping @Sendable (Int) -> Page,
        id: @escaping @Sendable (Page) -> Int?
    ) -> RouteLink<AppRoute> {
        project.path(path).segment(.int).path(tail).query("ref", optional: .string)
            .route({ .project(Project(creator: $0, slug: $1), page($2), ref: $3) }) {
                guard case .project(let project, let page, let ref) = $0, let id = id(page) else { return nil }
                return (project.creator, project.slug, id, ref)
            }
    }

    private static let projectLinks: [RouteLink<AppRoute>] = [
        // A preview link has a token and is left to the browser.
        page("", .root).unknownQueries(.ignored(except: "token")),
        project.path("description").query("ref", optional: .string)
            .route({ .project(Project(creator: $0, slug: $1), .root, ref: $2) }) { _ in nil },
        project.path("comments").query("comment", .string).query("reply", optional: .string)
            .query("ref", optional: .string)
            .route({ .project(Project(creator: $0, slug: $1), .thread($2, reply: $3), ref: $4) }) {
                guard case .project(let project, .thread(let id, let reply), let ref) = $0 else { return nil }
                return (project.creator, project.slug, id, reply, ref)
            },
        page("comments", .comments), page("campaign", .campaign), page("community", .community),
        page("creator_bio", .creatorBio), page("dashboard", .dashboard), page("environment", .environment),
        page("faqs", .faqs), page("friends", .friends), page("messages/new", .messageCreator),
        page("rewards", .rewards), page("risks", .risks), page("share", .share), page("ai", .useOfAI),
        numbered("rewards", Page.reward) { if case .reward(let id) = $0 { id } else { nil } },
        numbered("surveys", Page.survey) { if case .survey(let id) = $0 { id } else { nil } },
        project.path("checkouts").segment(.int).path("thanks").query("racing", optional: flag)
            .query("ref", optional: .string)
            .route({ .project(Project(creator: $0, slug: $1), .thanks(checkout: $2, racing: $3), ref: $4) }) {
                guard case .project(let project, .thanks(let id, let racing), let ref) = $0 else { return nil }
                return (project.creator, project.slug, id, racing, ref)
            },
        page("posts", .updates),
        numbered("posts", Page.update) { if case .update(let id) = $0 { id } else { nil } },
        numbered("posts", tail: "comments", Page.commentsOfUpdate) {
            if case .commentsOfUpdate(let id) = $0 { id } else { nil }
        },
    ]

    private static let failed = "email_failed_transaction"

    private static let pledgeLinks: [RouteLink<AppRoute>] = [
        // The query selects one of two screens for the same path. The narrower description comes
        // first.
        project.path("pledge").query("ref", is: failed)
            .route({ .project(Project(creator: $0, slug: $1), .pledge(.manage), ref: failed) }) {
                guard case .project(let project, .pledge(.manage), failed) = $0 else { return nil }
                return (project.creator, project.slug)
            },
        page("pledge", .pledge(.root)), page("pledge/new", .pledge(.new)), page("pledge/edit", .pledge(.edit)),
        page("pledge/destroy", .pledge(.destroy)), page("pledge/big_print", .pledge(.bigPrint)),
        page("pledge/change_method", .pledge(.changeMethod)),
    ]
}

// snippet.router
extension AppRoute {
    var needsSignIn: Bool {
        switch self {
        case .activity, .me, .inbox, .messages, .settings, .notification, .checkout, .project(_, .pledge, _): true
        default: false
        }
    }
}

let router = Router<AppRoute>(
    RouterState(tabs: [RouterTab(.home), RouterTab(.activity), RouterTab(.search(nil)), RouterTab(.me)]),
    guards: [
        { $0.needsSignIn ? .hold(presenting: .logIn, style: .fullScreen) : .allow },
        { $0 == .user("self", .profile) ? .redirect(to: .me) : .allow },
    ])

// snippet.end

// snippet.hide
@MainActor func follow(_ link: String) {
    do {
        try router.open(link)
        print(router.tab.map { "\($0)" } ?? "", router.stack.count, router.modals.map { "\($0.style)" })
    } catch {
        print(error.code)
    }
}

// snippet.show
// snippet.links
follow("https://example.com/search")
follow("crowd://www.example.com/projects/ann/lamp/comments?comment=7&reply=8&ref=mail&utm_source=mail")
print(try router.stack[0].link())
follow("https://emails.example.com/any/thing?qs=1")
follow("https://www.example.com/projects/ann/lamp?token=4")
follow("https://notemail.example.com/any/thing")
follow("crowd:settings/messages/no")

// The pledge is held while the sign-in covers the screen. Then it is shown.
follow("crowd://projects/ann/lamp/pledge?ref=email_failed_transaction")
router.guards.removeFirst()
try router.resume()
if case .project(let project, .pledge(.manage), _) = router.state.visible { print("pledge to", project.slug) }
follow("https://www.example.com/activity")
print(router.save().text, terminator: "")
// snippet.end

// snippet.hide
// Output:
// search(nil) 0 []
// search(nil) 1 []
// https://www.example.com/projects/ann/lamp/comments?comment=7&reply=8&ref=mail
// search(nil) 2 []
// unknownQuery
// unknownHost
// invalidValue
// search(nil) 2 ["fullScreen"]
// pledge to lamp
// activity 0 []
// tab https://www.example.com/search
// push https://www.example.com/projects/ann/lamp/comments?comment=7&reply=8&ref=mail
// push https://clicks.example.com/
// push https://www.example.com/projects/ann/lamp/pledge?ref=email_failed_transaction
// selected https://www.example.com/activity
