import WharfChecks
import WharfPresentation

/// The routes of a public crowdfunding app, kickstarter/ios-oss. `CampaignRouteTests` has the
/// assertions of its navigation tests.
enum CampaignRoute: Route {
    case activity, search, signUp, logIn, me, verifyEmail, emailClick
    case discovery(parent: String?, category: String?, filters: [Link.QueryItem])
    case checkout(Int, Payment)
    case messages(thread: Int)
    case project(Project, Page, ref: String?)
    case surveyOfUser(String, Int)
    case notification(String, isOn: Bool)

    enum Payment: String, CaseIterable { case root, new, applePay = "apple-pay", storedCard = "use_stored_card" }

    struct Project: Hashable {
        var creator: String
        var slug: String
    }

    enum Page: Hashable {
        case root, comments, creatorBio, faqs, friends, messageCreator, updates
        case commentThread(String, reply: String?)
        case thanks(checkout: Int, racing: Bool?)
        case pledge(Pledge)
        case survey(Int)
        case update(Int, UpdatePage)
    }

    enum Pledge: String, CaseIterable {
        case root, manage, edit, new, destroy
        case bigPrint = "big_print"
        case changeMethod = "change_method"
    }

    enum UpdatePage: Hashable {
        case root, comments
        case commentThread(String, reply: String?)
    }

    static let failedTransaction = "ksr_email_backer_failed_transaction"

    static let links = RouteTable<CampaignRoute>(
        host: "www.example.com", aliases: ["example.com"], appSchemes: ["ksr"]
    ) {
        LinkPath(hosts: "clicks.example.com", "emails.example.com").rest()
            .route({ _ in .emailClick }) { $0 == .emailClick ? [] : nil }
        LinkPath("activity").route(.activity)
        LinkPath("search").route(.search)
        LinkPath("signup").route(.signUp)
        LinkPath("authorize").route(.logIn)
        LinkPath("profile/verify_email").route(.verifyEmail)
        LinkPath("profile/me").route(.me)
        LinkPath("messages").segment(.int)
            .route(CampaignRoute.messages) { if case .messages(let thread) = $0 { thread } else { nil } }
        LinkPath("users").segment(.string).path("surveys").segment(.int)
            .route(CampaignRoute.surveyOfUser) {
                if case .surveyOfUser(let user, let id) = $0 { (user, id) } else { nil }
            }
        LinkPath("settings").segment(.string).segment(.bool)
            .route(CampaignRoute.notification) {
                if case .notification(let name, let isOn) = $0 { (name, isOn) } else { nil }
            }
        discoveryLinks
        checkoutLinks
        projectLinks
        pledgeLinks
    }

    private static var discoveryLinks: [RouteLink<CampaignRoute>] {
        [
            LinkPath("discover").remainingQuery()
                .route({ .discovery(parent: nil, category: nil, filters: $0) }) {
                    if case .discovery(nil, nil, let filters) = $0 { filters } else { nil }
                },
            LinkPath("discover/advanced").remainingQuery()
                .route({ .discovery(parent: nil, category: nil, filters: $0) }) { _ in nil },
            LinkPath("discover/categories").segment(.string).remainingQuery()
                .route({ .discovery(parent: nil, category: $0, filters: $1) }) {
                    if case .discovery(nil, let category?, let filters) = $0 { (category, filters) } else { nil }
                },
            LinkPath("discover/categories").segment(.string).segment(.string).remainingQuery()
                .route({ .discovery(parent: $0, category: $1, filters: $2) }) {
                    guard case .discovery(let parent?, let category?, let filters) = $0 else { return nil }
                    return (parent, category, filters)
                },
        ]
    }

    private static var checkoutLinks: [RouteLink<CampaignRoute>] {
        let payments = LinkPath("checkouts").segment(.int).path("payments")
        return [
            payments.route({ .checkout($0, .root) }) { if case .checkout(let id, .root) = $0 { id } else { nil } },
            payments.segment(.rawValue).route(CampaignRoute.checkout) {
                if case .checkout(let id, let payment) = $0 { (id, payment) } else { nil }
            },
        ]
    }
}

extension CampaignRoute {
    private static let flag = LinkValue<Bool>(
        "1 or 0", parse: { ["1": true, "0": false][$0] }, print: { $0 ? "1" : "0" })

    private static var project: LinkPattern<LinkValues2<String, String>> {
        LinkPath("projects").segment(.string).segment(.string)
    }

    /// The link of a project page without values.
    private static func page(_ path: String, _ page: Page) -> RouteLink<CampaignRoute> {
        project.path(path).query("ref", optional: .string)
            .route({ .project(Project(creator: $0, slug: $1), page, ref: $2) }) {
                guard case .project(let project, page, let ref) = $0 else { return nil }
                return (project.creator, project.slug, ref)
            }
    }

    private static var projectLinks: [RouteLink<CampaignRoute>] {
        [
            page("", .root).unknownQueries(.ignored(except: "token")),
            // A former link, which is parsed but not printed.
            project.path("description").query("ref", optional: .string)
                .route({ .project(Project(creator: $0, slug: $1), .root, ref: $2) }) { _ in nil },
            project.path("comments").query("comment", .string).query("reply", optional: .string)
                .query("ref", optional: .string)
                .route({ .project(Project(creator: $0, slug: $1), .commentThread($2, reply: $3), ref: $4) }) {
                    guard case .project(let project, .commentThread(let id, let reply), let ref) = $0 else {
                        return nil
                    }
                    return (project.creator, project.slug, id, reply, ref)
                },
            page("comments", .comments), page("creator_bio", .creatorBio), page("faqs", .faqs),
            page("friends", .friends), page("messages/new", .messageCreator), page("posts", .updates),
            project.path("checkouts").segment(.int).path("thanks").query("racing", optional: flag)
                .query("ref", optional: .string)
                .route({ .project(Project(creator: $0, slug: $1), .thanks(checkout: $2, racing: $3), ref: $4) }) {
                    guard case .project(let project, .thanks(let id, let racing), let ref) = $0 else { return nil }
                    return (project.creator, project.slug, id, racing, ref)
                },
            project.path("surveys").segment(.int).query("ref", optional: .string)
                .route({ .project(Project(creator: $0, slug: $1), .survey($2), ref: $3) }) {
                    guard case .project(let project, .survey(let id), let ref) = $0 else { return nil }
                    return (project.creator, project.slug, id, ref)
                },
            project.path("posts").segment(.int).query("ref", optional: .string)
                .route({ .project(Project(creator: $0, slug: $1), .update($2, .root), ref: $3) }) {
                    guard case .project(let project, .update(let id, .root), let ref) = $0 else { return nil }
                    return (project.creator, project.slug, id, ref)
                },
            project.path("posts").segment(.int).path("comments").query("comment", .string)
                .query("reply", optional: .string).query("ref", optional: .string)
                .route({
                    .project(Project(creator: $0, slug: $1), .update($2, .commentThread($3, reply: $4)), ref: $5)
                }) {
                    guard
                        case .project(let project, .update(let id, .commentThread(let comment, let reply)), let ref) =
                            $0
                    else { return nil }
                    return (project.creator, project.slug, id, comment, reply, ref)
                },
            project.path("posts").segment(.int).path("comments").query("ref", optional: .string)
                .route({ .project(Project(creator: $0, slug: $1), .update($2, .comments), ref: $3) }) {
                    guard case .project(let project, .update(let id, .comments), let ref) = $0 else { return nil }
                    return (project.creator, project.slug, id, ref)
                },
        ]
    }

    private static var pledgeLinks: [RouteLink<CampaignRoute>] {
        [
            project.path("pledge").query("ref", is: failedTransaction)
                .route({ .project(Project(creator: $0, slug: $1), .pledge(.manage), ref: failedTransaction) }) {
                    guard case .project(let project, .pledge(.manage), failedTransaction) = $0 else { return nil }
                    return (project.creator, project.slug)
                },
            page("pledge", .pledge(.root)), page("pledge/big_print", .pledge(.bigPrint)),
            page("pledge/change_method", .pledge(.changeMethod)), page("pledge/destroy", .pledge(.destroy)),
            page("pledge/edit", .pledge(.edit)), page("pledge/new", .pledge(.new)),
        ]
    }
}

extension CampaignRoute {
    private static let segment = Generator<String>.string().filter { !["", ".", ".."].contains($0) }
    private static let short = Generator<String>.string(of: .element(of: ["a", "&", "=", " ", "é"]), count: 1...3)
    private static let ref = Generator<String?>.optional(short)
    private static let filters = Generator<[Link.QueryItem]>.array(
        of: Generator.zip(short, .optional(.string())).map { Link.QueryItem($0, $1) }, count: 0...3)
    private static let thread = Generator.zip(.string(), .optional(.string()))

    private static let page = Generator<Page>.oneOf(
        .element(of: [.root, .comments, .creatorBio, .faqs, .friends, .messageCreator, .updates]),
        .element(of: Pledge.allCases.filter { $0 != .manage }.map { .pledge($0) }),
        thread.map { .commentThread($0, reply: $1) },
        Generator.zip(.int(in: -9...9), .optional(.bool)).map { .thanks(checkout: $0, racing: $1) },
        Generator<Int>.int(in: -9...9).map { .survey($0) },
        Generator.zip(
            .int(in: -9...9),
            .oneOf(.element(of: [.root, .comments]), thread.map { .commentThread($0, reply: $1) })
        ).map { .update($0, $1) })

    /// All routes that have a link.
    static let generator = Generator<CampaignRoute>.oneOf(
        .element(of: [.activity, .search, .signUp, .logIn, .me, .verifyEmail, .emailClick]),
        filters.map { .discovery(parent: nil, category: nil, filters: $0) },
        Generator.zip(.optional(segment), segment, filters).map { .discovery(parent: $0, category: $1, filters: $2) },
        Generator.zip(.int(in: -9...9), .anyCase()).map { .checkout($0, $1) },
        Generator<Int>.int(in: -9...9).map { .messages(thread: $0) },
        Generator.zip(segment, .int(in: -9...9)).map { .surveyOfUser($0, $1) },
        Generator.zip(segment, .bool).map { .notification($0, isOn: $1) },
        Generator.zip(segment, segment, page, ref)
            .map { .project(Project(creator: $0, slug: $1), $2, ref: $3) })
}
