import Wharf
import WharfAnalytics

/// An event of an issue.
struct IssueEvent: AnalyticsEvent, Encodable {
    enum Action: String, Encodable {
        case created, edited, closed, deleted
    }

    let action: Action
    let issue: Issue.ID
    var name: String { "issue.\(action.rawValue)" }
}

/// The statistics of the app: events that wait in the outbox and go to `POST /events`.
public struct Usage: Sendable {
    let analytics: Analytics

    init(_ client: APIClient, outbox: OutboxEngine) throws {
        let collector = HTTPCollector(
            endpoint: try client.requestHead(.post, at: "events"), transport: client.transport)
        analytics = Analytics(
            outbox: outbox, sinks: [collector], identity: AnalyticsIdentity(),
            consent: ConsentState(Consent(.statistics)))
    }

    func track(_ action: IssueEvent.Action, _ issue: Issue.ID) async throws {
        try await analytics.track(IssueEvent(action: action, issue: issue))
    }
}
