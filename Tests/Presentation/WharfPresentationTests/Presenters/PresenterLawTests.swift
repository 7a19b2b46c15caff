import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfPresentation
import WharfPresentationLaws
import WharfPrimitives

struct PresenterLawTests {
    private typealias Laws = PresenterLaws

    @Test(arguments: PresenterLaws.all(for: TimedFilms.self))
    func presenterKeepsLaw(law: Law<PresenterLaws.Subject<TimedFilms>>) async throws {
        try await law.check(
            .init("TimedFilms") {
                let presenter = TimedFilms()
                return .init(presenter) { presenter.add("6") }
            })
    }

    @Test(arguments: PresenterLaws.all(for: Router<AppRoute>.self))
    func routerKeepsLaw(law: Law<PresenterLaws.Subject<Router<AppRoute>>>) async throws {
        try await law.check(
            .init("Router") {
                let router = Router<AppRoute>()
                return .init(router) { try router.push(.profile) }
            })
    }

    @Test(arguments: PresenterLaws.all(for: WrongFilms.self))
    func eachLawFailsForItsMutantsAlone(law: Law<PresenterLaws.Subject<WrongFilms>>) async throws {
        try await law.prove(by: WrongFilms.mutants, in: PresenterLaws.all(for: WrongFilms.self))
    }
}

/// A presenter with one defect.
@MainActor final class WrongFilms: Presenter {
    enum Fault: String, CaseIterable {
        case beginsElsewhere = "begin with"
        case doesNotFollow = "follow the state"
        case isNotTracked = "is told of a change"
        case keepsItself = "do not keep"
    }

    @Presented private var held = FilmList(titles: ["1"])
    private let shown: Broadcast<FilmList>
    private var plain = FilmList(titles: ["1"])
    private var observer: Task<Void, Never>?
    private let fault: Fault

    init(_ fault: Fault) {
        self.fault = fault
        shown = Broadcast(FilmList(titles: fault == .beginsElsewhere ? [] : ["1"]))
        if fault == .keepsItself {
            observer = Task { for await state in states where state.titles.isEmpty { observer = nil } }
        }
    }

    var state: FilmList { fault == .isNotTracked ? plain : held }
    var states: StateSequence<FilmList> { StateSequence(shown) }

    func change() {
        held.titles.append("2")
        plain.titles.append("2")
        if fault != .doesNotFollow { shown.set(held) }
    }

    static var mutants: [LawMutant<PresenterLaws.Subject<WrongFilms>>] {
        PresenterLaws.all(for: WrongFilms.self).flatMap { law in
            Fault.allCases.filter { law.name.contains($0.rawValue) }.map { fault in
                LawMutant(
                    breaks: law.name,
                    .init("\(fault)") {
                        let presenter = WrongFilms(fault)
                        return .init(presenter) { presenter.change() }
                    })
            }
        }
    }
}
