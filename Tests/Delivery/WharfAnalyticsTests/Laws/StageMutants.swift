import Synchronization
import WharfAnalytics
import WharfAnalyticsLaws
import WharfChecks
import WharfCore
import WharfJSON

enum StageMutants {
    static let all: [LawMutant<EventStageLaws.Subject>] =
        mutants("the same event comes out the same, alone and among others", .countsEvents, .differsByInstance)
        + mutants(
            "an event keeps its id, kind, time and category", .changesID, .changesKind, .changesTime, .changesCategory)
        + EventStageLaws.Field.allCases.map { field in
            .init(
                breaks: "a stage changes no field beyond those that it declares",
                .init("changes(\(field))") { .init(changing(field)) })
        }
        + mutants("a second pass changes nothing", .addsEachTime)

    private static func mutants(_ law: String, _ faults: WrongStage.Fault...) -> [LawMutant<EventStageLaws.Subject>] {
        faults.map { fault in
            .init(
                breaks: law,
                .init("\(fault)") {
                    .init(WrongStage(fault), changing: [.name, .context], isIdempotent: fault == .addsEachTime)
                })
        }
    }

    /// Changes a field of another stage, in the same way each time.
    private static func changing(_ field: EventStageLaws.Field) -> EventEnrichment {
        .enriching { event in
            switch field {
            case .name: event.name = "n"
            case .properties: event.properties = [:]
            case .traitsOnce: event.traitsOnce = ["a": "b"]
            case .context: event.context = [:]
            case .anonymousID: event.anonymousID = nil
            case .user: event.user = "u"
            case .groups: event.groups = ["a": "b"]
            case .session: event.session = nil
            }
        }
    }
}

/// A stage with one defect.
final class WrongStage: EventStage {
    enum Fault: Sendable {
        case countsEvents, differsByInstance, changesID, changesKind, changesTime, changesCategory, addsEachTime
    }

    private let fault: Fault
    private let number: Int
    private let count = Atomic(0)
    private static let made = Atomic(0)

    init(_ fault: Fault) {
        self.fault = fault
        number = Self.made.add(1, ordering: .relaxed).newValue
    }

    func process(_ event: TrackedEvent) -> TrackedEvent? {
        var event = event
        switch fault {
        case .countsEvents:
            event.context["count"] = JSONValue(.number(JSONNumber(count.add(1, ordering: .relaxed).newValue)))
        case .differsByInstance: event.context["stage"] = JSONValue(.number(JSONNumber(number)))
        case .addsEachTime: event.name += "!"
        case .changesID: return event.with(id: "id")
        case .changesKind: return event.with(kind: event.kind == .screen ? .track : .screen)
        case .changesTime: return event.with(time: WallTime(secondsSince1970: 0))
        case .changesCategory: return event.with(category: .marketing)
        }
        return event
    }
}

extension TrackedEvent {
    /// Returns a new event with the given fields replaced.
    fileprivate func with(
        id: String? = nil, kind: Kind? = nil, time: WallTime? = nil, category: Consent.Category? = nil
    ) -> TrackedEvent {
        var event = TrackedEvent(
            id: id ?? self.id, kind: kind ?? self.kind, name: name, time: time ?? self.time,
            category: category ?? self.category, properties: properties)
        event.traitsOnce = traitsOnce
        event.context = context
        event.anonymousID = anonymousID
        event.user = user
        event.groups = groups
        event.session = session
        return event
    }
}
