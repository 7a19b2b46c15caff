import WharfCore
import WharfTesting

/// One step of a sequence: something that a reader, the service, another writer or time does.
enum Operation: Sendable {
    case read(Int, ReadPolicy)
    case readList(Page, ReadPolicy)
    /// What the service has from now on.
    case publish(Int, String)
    case withdraw(Int)
    /// What the service says in place of an answer; nil: it answers.
    case fail(Failure?)
    /// Whether what the service answers must not be stored.
    case forbidStoring(Bool)
    case advance(seconds: Int)
    case anotherCommits(Int, String, age: Int, lifetime: Int?)
    case anotherRemoves(Int)
    /// A row that nobody can decode.
    case anotherGarbles(Int)
    case receive(Int, String, age: Int)
    case invalidate(Target)
    case turn(online: Bool)
    /// Somebody observes from now on.
    case watch(Int)
    /// Another repository over the same store.
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

        /// In an order that no store has by itself.
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

        /// It stands by itself: nothing kept may mask it.
        var isAnswer: Bool { [.unauthorized, .notFound, .gone].contains(self) }
        var saysGone: Bool { [.notFound, .gone].contains(self) }

        static func status(_ code: Int) -> ReadFailure {
            ReadFailure(.status, message: "scripted: \(code)", response: HTTPResponse(status: .init(code: code)))
        }
    }
}

extension Operation {
    static func random(using random: inout some RandomNumberGenerator) -> Operation {
        let id = Int.random(in: 1...3, using: &random)
        let name = names.randomElement(using: &random) ?? "a"
        let policy = ReadPolicy.all.randomElement(using: &random) ?? .standard
        switch Int.random(in: 0..<32, using: &random) {
        case 0..<8: return .read(id, policy)
        case 8..<13: return .readList(Page.allCases.randomElement(using: &random) ?? .whole, policy)
        case 13..<15: return .publish(id, name)
        case 15: return .withdraw(id)
        case 16: return .fail(Failure.allCases.randomElement(using: &random))
        case 17, 18: return .fail(nil)
        case 19: return .forbidStoring(true)
        case 20: return .forbidStoring(false)
        case 21, 22: return .advance(seconds: [1, 20, 45, 90].randomElement(using: &random) ?? 1)
        case 23:
            return .anotherCommits(
                id, name, age: [0, 5, 50].randomElement(using: &random) ?? 0,
                lifetime: [nil, 30, 100].randomElement(using: &random) ?? nil)
        case 24: return .anotherRemoves(id)
        case 25: return .anotherGarbles(id)
        case 26: return .receive(id, name, age: [0, 5, 50].randomElement(using: &random) ?? 0)
        case 27, 28: return .invalidate(target(id, name, using: &random))
        case 29: return .turn(online: Int.random(in: 0..<3, using: &random) > 0)
        case 30: return .watch(id)
        default: return .restart
        }
    }

    private static let names = ["a", "b", "c", "d"]

    private static func target(
        _ id: Int, _ name: String, using random: inout some RandomNumberGenerator
    ) -> Target {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: .id(id)
        case 2: .name(name)
        case 3: .tag(tag(of: id))
        case 4: .lists
        default: .all
        }
    }

    static func tag(of id: Int) -> String { id % 2 == 0 ? "even" : "odd" }
}
