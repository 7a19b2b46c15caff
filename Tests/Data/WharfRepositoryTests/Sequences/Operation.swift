import WharfChecks
import WharfCore
import WharfCoreLaws

/// One step of a sequence: an action of a reader, the service, another writer or the clock.
enum Operation: Sendable {
    case read(Int, ReadPolicy)
    case readList(Page, ReadPolicy)
    /// Sets the service's value for an id.
    case publish(Int, String)
    case withdraw(Int)
    /// Sets the failure with which the service answers; nil ends it.
    case fail(Failure?)
    /// Sets whether the service's answers must not be stored.
    case forbidStoring(Bool)
    case advance(seconds: Int)
    case anotherCommits(Int, String, age: Int, lifetime: Int?)
    case anotherRemoves(Int)
    /// Writes an undecodable row.
    case anotherGarbles(Int)
    case receive(Int, String, age: Int)
    case invalidate(Target)
    case turn(online: Bool)
    /// Starts an observer.
    case watch(Int)
    /// Starts another repository over the same store.
    case restart

    /// A query, and the service's answer to it.
    enum Page: CaseIterable, Hashable, Sendable {
        case whole, firstTwo

        var query: EntityQuery<RepositoryLaws.Model> {
            switch self {
            case .whole: EntityQuery()
            case .firstTwo: EntityQuery().limit(2)
            }
        }

        init(_ query: EntityQuery<RepositoryLaws.Model>) { self = query.rows.limit == 2 ? .firstTwo : .whole }

        /// The ids in an order that no store returns by default.
        func ids(of models: [Int: String]) -> [Int] {
            let ids = models.keys.sorted(by: >)
            return self == .firstTwo ? Array(ids.prefix(2)) : ids
        }
    }

    enum Target: Sendable {
        case id(Int)
        case name(String)
        case tag(String)
        case lists, all
    }

    enum Failure: CaseIterable, Sendable {
        case unreachable, undecodable, tooLarge, serverFailure, unauthorized, notFound, gone

        var failure: ReadFailure {
            switch self {
            case .unreachable: ReadFailure(.connectionFailed, message: "scripted")
            case .undecodable: ReadFailure(.undecodable, message: "scripted")
            case .tooLarge: ReadFailure(.tooLarge, message: "scripted")
            case .serverFailure: Self.status(503)
            case .unauthorized: Self.status(401)
            case .notFound: Self.status(404)
            case .gone: Self.status(410)
            }
        }

        /// Whether the failure is an answer of its own that no stored value may mask.
        var isAnswer: Bool { [.unauthorized, .notFound, .gone].contains(self) }
        var saysGone: Bool { [.notFound, .gone].contains(self) }

        static func status(_ code: Int) -> ReadFailure {
            ReadFailure(.status, message: "scripted: \(code)", response: HTTPResponse(status: .init(code: code)))
        }
    }
}

extension Operation {
    static let generator: Generator<Operation> = .frequency(
        (13, reads), (8, service), (4, others), (2, target.map { .invalidate($0) }), (5, surroundings))

    private static let reads: Generator<Operation> = .frequency(
        (8, Generator.zip(id, policy).map { .read($0, $1) }), (5, Generator.zip(page, policy).map { .readList($0, $1) })
    )
    private static let service: Generator<Operation> = .frequency(
        (2, Generator.zip(id, name).map { .publish($0, $1) }), (1, id.map { .withdraw($0) }),
        (1, Generator<Failure>.anyCase().map { .fail($0) }), (2, .just(.fail(nil))),
        (2, Generator.bool.map { .forbidStoring($0) }))
    private static let others: Generator<Operation> = .oneOf(
        Generator.zip(id, name, age, lifetime).map { .anotherCommits($0, $1, age: $2, lifetime: $3) },
        id.map { .anotherRemoves($0) }, id.map { .anotherGarbles($0) },
        Generator.zip(id, name, age).map { .receive($0, $1, age: $2) })
    private static let surroundings: Generator<Operation> = .frequency(
        (2, Generator.element(of: [1, 20, 45, 90]).map { .advance(seconds: $0) }),
        (1, Generator.element(of: [true, false, true]).map { .turn(online: $0) }), (1, id.map { .watch($0) }),
        (1, .just(.restart)))

    private static let id = Generator.int(in: 1...3)
    private static let name = Generator.element(of: ["a", "b", "c", "d"])
    private static let age = Generator.element(of: [0, 5, 50])
    private static let lifetime = Generator<Int?>.element(of: [nil, 30, 100])
    private static let policy = Generator.element(of: ReadPolicy.all)
    private static let page = Generator<Page>.anyCase()
    private static let target: Generator<Target> = .oneOf(
        id.map { .id($0) }, name.map { .name($0) }, id.map { .tag(tag(of: $0)) }, .just(.lists), .just(.all))

    static func tag(of id: Int) -> String { id % 2 == 0 ? "even" : "odd" }
}
