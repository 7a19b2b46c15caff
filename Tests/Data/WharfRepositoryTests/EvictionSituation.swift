import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfRepository

/// The reads before an eviction, the observers during it, and its limits.
struct EvictionSituation: Sendable, CustomStringConvertible {
    typealias Page = EntityQuery<RepositoryLaws.Model>

    enum Read: Sendable {
        case model(Int, after: Int)
        case list(page: Int, after: Int)
    }

    static let ids = Array(1...12)
    static let pages = (0..<4).map { Page().limit(100 + $0) }

    /// The ids in the list of each page.
    var members: [[Int]]
    /// The reads, each with the seconds that pass before it.
    var reads: [Read]
    var observed: [Int]
    var observedPages: [Int]
    var pending: [Int]
    /// The age limit in seconds.
    var age: Int?
    var count: Int?
    var bytes: Int?

    var limits: EvictionLimits { EvictionLimits(age: age.map { .seconds($0) }, count: count, bytes: bytes) }

    var description: String {
        let reads = reads.map { "\($0)" }.joined(separator: ", ")
        let limits = [("age", age), ("count", count), ("bytes", bytes)].compactMap { name, limit in
            limit.map { "\(name) \($0)" }
        }
        return """
            lists of \(members), read \(reads), observed \(observed) and lists \(observedPages), pending \(pending), \
            limits: \(limits.joined(separator: ", "))
            """
    }

    static let generator = Generator { choices in
        EvictionSituation(
            members: try pages.map { _ in try choices.draw(some(of: ids, oneIn: 4)) },
            reads: try choices.draw(.array(of: read, count: 0...20)),
            observed: try choices.draw(some(of: ids, oneIn: 8)),
            observedPages: try choices.draw(some(of: Array(pages.indices), oneIn: 5)),
            pending: try choices.draw(some(of: ids, oneIn: 8)),
            age: try choices.draw(limit(0...20)), count: try choices.draw(limit(0...10)),
            bytes: try choices.draw(limit(0...80)))
    }

    private static let read = Generator<Read>.oneOf(
        Generator.zip(.element(of: ids), .int(in: 0...3)).map { .model($0, after: $1) },
        Generator.zip(.int(in: 0...(pages.count - 1)), .int(in: 0...3)).map { .list(page: $0, after: $1) })

    private static func some(of elements: [Int], oneIn odds: Int) -> Generator<[Int]> {
        Generator { choices in
            try elements.filter { _ in try choices.draw(.frequency((odds - 1, .just(false)), (1, .just(true)))) }
        }
    }

    private static func limit(_ range: ClosedRange<Int>) -> Generator<Int?> {
        .oneOf(.just(nil), Generator<Int>.int(in: range).map { $0 })
    }
}
