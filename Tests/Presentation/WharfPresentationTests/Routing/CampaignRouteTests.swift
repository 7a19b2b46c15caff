import Testing
import WharfChecks
import WharfPresentation
import WharfPresentationLaws

/// The assertions of kickstarter/ios-oss, `Library/NavigationTests.swift`, with hosts of
/// example.com.
@Suite struct CampaignRouteTests {
    typealias Page = CampaignRoute.Page

    @Test(arguments: RouteLaws.all(for: CampaignRoute.self))
    func tableKeepsRouteLaws(law: Law<RouteLaws.Subject<CampaignRoute>>) async throws {
        try await law.check(.init("CampaignRoute", CampaignRoute.generator))
    }

    static let places: [(String, CampaignRoute)] = [
        ("/checkouts/1/payments/new", .checkout(1, .new)),
        ("/checkouts/1/payments", .checkout(1, .root)),
        ("/checkouts/1/payments/use_stored_card", .checkout(1, .storedCard)),
        ("/signup", .signUp),
        ("/discover?sort=newest", .discovery(parent: nil, category: nil, filters: [.init("sort", "newest")])),
        ("/discover/advanced", .discovery(parent: nil, category: nil, filters: [])),
        ("/discover/categories/a", .discovery(parent: nil, category: "a", filters: [])),
        ("/discover/categories/b/c", .discovery(parent: "b", category: "c", filters: [])),
        ("/search", .search),
        ("/activity", .activity),
        ("/profile/me", .me),
        ("/authorize", .logIn),
        ("/users/self/surveys/3", .surveyOfUser("self", 3)),
        ("/profile/verify_email", .verifyEmail),
        (
            "/settings/notify_mobile_of_marketing_update/true",
            .notification("notify_mobile_of_marketing_update", isOn: true)
        ),
        ("/settings/notify_mobile_of_messages/false", .notification("notify_mobile_of_messages", isOn: false)),
    ]

    static let pages: [(String, Page, String?)] = [
        ("", .root, nil),
        ("?ref=discovery", .root, "discovery"),
        ("/checkouts/1/thanks", .thanks(checkout: 1, racing: nil), nil),
        ("/checkouts/1/thanks?racing=1", .thanks(checkout: 1, racing: true), nil),
        ("/comments", .comments, nil),
        ("/comments?comment=dead", .commentThread("dead", reply: nil), nil),
        ("/comments?comment=dead&reply=beef", .commentThread("dead", reply: "beef"), nil),
        ("/creator_bio", .creatorBio, nil),
        ("/description", .root, nil),
        ("/faqs", .faqs, nil),
        ("/friends", .friends, nil),
        ("/messages/new", .messageCreator, nil),
        ("/pledge/big_print", .pledge(.bigPrint), nil),
        ("/pledge/change_method", .pledge(.changeMethod), nil),
        ("/pledge/destroy", .pledge(.destroy), nil),
        ("/pledge/edit", .pledge(.edit), nil),
        ("/pledge/new", .pledge(.new), nil),
        ("/pledge", .pledge(.root), nil),
        (
            "/pledge?ref=ksr_email_backer_failed_transaction", .pledge(.manage),
            "ksr_email_backer_failed_transaction"
        ),
        ("/posts", .updates, nil),
        ("/posts/1", .update(1, .root), nil),
        ("/posts/2/comments", .update(2, .comments), nil),
        ("/posts/2/comments?comment=dead", .update(2, .commentThread("dead", reply: nil)), nil),
        ("/posts/2/comments?comment=dead&reply=beef", .update(2, .commentThread("dead", reply: "beef")), nil),
        ("/surveys/3", .survey(3), nil),
    ]

    @Test(arguments: places) func webLinkLeadsToPlace(path: String, route: CampaignRoute) throws {
        #expect(try CampaignRoute(link: "https://www.example.com" + path) == route)
        #expect(try CampaignRoute(link: "ksr://www.example.com" + path) == route)
    }

    @Test(arguments: pages) func webLinkLeadsToPageOfProject(path: String, page: Page, ref: String?) throws {
        let route = CampaignRoute.project(.init(creator: "creator", slug: "project"), page, ref: ref)
        #expect(try CampaignRoute(link: "https://www.example.com/projects/creator/project" + path) == route)
        #expect(try CampaignRoute(link: "ksr:///projects/creator/project" + path) == route)
    }

    @Test(arguments: [
        ("https://clicks.example.com/wf/click?upn=deadbeef", CampaignRoute.emailClick),
        ("https://emails.example.com/anything/?qs=deadbeef", .emailClick),
        ("https://example.com/profile/verify_email", .verifyEmail),
        (
            "ksr://www.example.com/projects/creator/project",
            .project(.init(creator: "creator", slug: "project"), .root, ref: nil)
        ),
    ])
    func linkOfAnotherHostOrSchemeLeadsToPlace(link: String, route: CampaignRoute) throws {
        #expect(try CampaignRoute(link: link) == route)
    }

    @Test(arguments: [
        ("http://www.face-example.com/projects/creator/project", RoutingError.Code.unknownHost),
        ("https://notemailhost.example.com/wf/click?upn=deadbeef", .unknownHost),
        ("https://www.example.com/projects/creator/project?token=4", .unknownQuery),
        ("https://www.example.com/projects/creator/project?ref=discovery&token=4", .unknownQuery),
    ])
    func linkThatIsNoRouteIsRefused(link: String, code: RoutingError.Code) throws {
        let error = try #require(throws: RoutingError.self) { try CampaignRoute(link: link) }
        #expect(error.code == code, "\(error)")
    }

    @Test func otherQueryItemsOfAProjectAreIgnored() throws {
        let link = "https://www.example.com/projects/creator/project?utm_source=mail&ref=a"
        #expect(
            try CampaignRoute(link: link) == .project(.init(creator: "creator", slug: "project"), .root, ref: "a"))
    }
}
