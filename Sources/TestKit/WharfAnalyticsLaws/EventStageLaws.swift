public import WharfAnalytics
public import WharfChecks

/// The laws that every ``WharfAnalytics/EventStage`` keeps.
///
/// ```swift
/// @Test(arguments: EventStageLaws.all)
/// func versionStageKeeps(law: Law<EventStageLaws.Subject>) async throws {
///     try await law.check(
///         .init("VersionStage") { .init(VersionStage("1.2"), changing: [.context]) })
/// }
/// ```
public enum EventStageLaws {
    /// A stage under examination, as the closure that makes a new one.
    public typealias Subject = Conformer<Instance>

    /// A part of an event that a stage may change.
    public enum Field: Hashable, Sendable, CaseIterable {
        case name, properties, traitsOnce, context, anonymousID, user, groups, session
    }

    /// A stage, with the changes that it promises.
    public struct Instance: Sendable {
        let stage: any EventStage
        let fields: Set<Field>
        let isIdempotent: Bool

        /// Creates an instance.
        ///
        /// - Parameters:
        ///   - fields: the fields that the stage may change.
        ///   - isIdempotent: whether a second pass changes nothing.
        public init(_ stage: any EventStage, changing fields: Set<Field> = [], isIdempotent: Bool = true) {
            self.stage = stage
            self.fields = fields
            self.isIdempotent = isIdempotent
        }
    }

    /// All laws.
    public static let all: [Law<Subject>] = [
        Law("the same event comes out the same, alone and among others", for: SampleEvents.all) { subject, event in
            let stage = try await subject.make().stage
            let expected = stage.process(event)
            // A stage that keeps state of earlier events would give another result after these.
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<4 { group.addTask { _ = stage.process(SampleEvents.event(number)) } }
            }
            let found = stage.process(event)
            try require(found == expected, "\(text(expected)) came out, and then \(text(found))")
            let other = try await subject.make().stage.process(event)
            try require(other == expected, "\(text(expected)) came out, and of another stage \(text(other))")
        },
        Law("an event keeps its id, kind, time and category", for: SampleEvents.all) { subject, event in
            guard let found = try await subject.make().stage.process(event) else { return }
            let isSame =
                found.id == event.id && found.kind == event.kind && found.time == event.time
                && found.category == event.category
            try require(isSame, "\(text(event)) came out as \(text(found))")
        },
        Law("a stage changes no field beyond those that it declares", for: SampleEvents.all) { subject, event in
            let it = try await subject.make()
            guard let found = it.stage.process(event) else { return }
            for field in Field.allCases where !it.fields.contains(field) {
                try require(
                    field.isSame(event, found), "it changed \(field): \(text(event)) came out as \(text(found))")
            }
        },
        Law("a second pass changes nothing", for: SampleEvents.all) { subject, event in
            let it = try await subject.make()
            guard it.isIdempotent, let first = it.stage.process(event) else { return }
            let second = it.stage.process(first)
            try require(second == first, "\(text(first)) came out, and then \(text(second))")
        },
    ]

    private static func text(_ event: TrackedEvent?) -> String { event.map { "\($0.json)" } ?? "nothing" }
}

extension EventStageLaws.Field {
    fileprivate func isSame(_ a: TrackedEvent, _ b: TrackedEvent) -> Bool {
        switch self {
        case .name: a.name == b.name
        case .properties: a.properties == b.properties
        case .traitsOnce: a.traitsOnce == b.traitsOnce
        case .context: a.context == b.context
        case .anonymousID: a.anonymousID == b.anonymousID
        case .user: a.user == b.user
        case .groups: a.groups == b.groups
        case .session: a.session == b.session
        }
    }
}
