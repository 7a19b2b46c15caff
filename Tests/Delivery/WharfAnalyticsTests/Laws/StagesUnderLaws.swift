import WharfAnalytics
import WharfAnalyticsLaws
import WharfChecks
import WharfJSON

enum StagesUnderLaws {
    static let all: [EventStageLaws.Subject] = [
        .init("EventSampling") { .init(.sampling(0.5)) },
        .init("EventFilter") { .init(.filtering { $0.user != nil }) },
        .init("EventRedaction") {
            .init(.redacting("text", "plan", "LOCALE"), changing: [.properties, .traitsOnce, .context])
        },
        .init("EventRedaction with a replacement") {
            .init(.redacting("number", replacement: "***"), changing: [.properties])
        },
        .init("EventEnrichment") {
            .init(.enriching { $0.name = "app.\($0.name)" }, changing: [.name], isIdempotent: false)
        },
        .init("EventEnrichment of the context") { .init(.context(["version": "1.2"]), changing: [.context]) },
        .init("EventEnrichment of the user") { .init(.user { "ann" }, changing: [.user]) },
    ]
}
