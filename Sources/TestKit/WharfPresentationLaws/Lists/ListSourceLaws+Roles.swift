internal import WharfChecks
internal import WharfPresentation

extension ListSourceLaws {
    static let roles: [Law<Subject>] = [
        Law("each section has an id of its own", for: count) { subject, count in
            let list = try await subject.make(count)
            guard let sections = list as? any IdentifiedSections else { return }
            var ids: Set<AnyHashable> = []
            for section in 0..<list.sectionCount {
                let id = try require(sections.anyID(of: section), "section \(section) had none")
                try require(ids.insert(id).inserted, "two sections had \(id)")
            }
        },
        Law("a section that is not there has no id", for: count) { subject, count in
            let list = try await subject.make(count)
            guard let sections = list as? any IdentifiedSections else { return }
            for section in list.otherSections {
                let id = sections.anyID(of: section)
                try require(id == nil, "section \(section) of \(list.sectionCount) had one")
            }
        },
        Law("a section that is not there has neither header nor footer", for: count) { subject, count in
            let list = try await subject.make(count)
            for section in list.otherSections {
                let captions = [
                    (list as? any SectionHeaders)?.header(ofSection: section),
                    (list as? any SectionFooters)?.footer(ofSection: section),
                ]
                try require(captions == [nil, nil], "section \(section) of \(list.sectionCount) had one")
            }
        },
        Law("deleting a row that is not editable throws a ListError", for: count) { subject, count in
            let list = try await subject.make(count)
            guard let rows = list as? any EditableRows else { return }
            for position in list.shownPositions + list.otherPositions where !rows.isEditable(at: position) {
                try await requireRefusal(.notEditable, at: position) { try await rows.delete(at: position) }
            }
        },
        Law("moving a row that is not movable throws a ListError", for: count) { subject, count in
            let list = try await subject.make(count)
            guard let rows = list as? any MovableRows else { return }
            for position in list.shownPositions + list.otherPositions where !rows.isMovable(at: position) {
                try await requireRefusal(.notMovable, at: position) {
                    try await rows.move(from: position, to: ListPosition(section: 0, row: 0))
                }
            }
        },
        Law("moving a row to an invalid destination throws a ListError", for: count) { subject, count in
            let list = try await subject.make(count)
            guard let rows = list as? any MovableRows else { return }
            let places = list.shownPositions + list.otherPositions
            for position in list.shownPositions.filter({ rows.isMovable(at: $0) }).prefix(3) {
                for place in places where !rows.canMove(from: position, to: place) {
                    try await requireRefusal(.noDestination, at: place) {
                        try await rows.move(from: position, to: place)
                    }
                }
            }
        },
        Law("only elements can be deleted or moved", for: count) { subject, count in
            let list = try await subject.make(count)
            for position in list.otherPositions + list.shownPositions where list.element(at: position) == nil {
                let isEditable = (list as? any EditableRows)?.isEditable(at: position) ?? false
                let isMovable = (list as? any MovableRows)?.isMovable(at: position) ?? false
                try require(!isEditable && !isMovable, "at \(position) there is no element")
            }
        },
    ]

    static func requireRefusal(
        _ code: ListError.Code, at position: ListPosition, _ body: () async throws -> Void
    ) async throws {
        let answer = try await require(onlyThrowing: ListError.self, where: { $0.code == code }, body)
        if case .success = answer { throw FailedRequirement(found: "\(position) was taken") }
    }
}
