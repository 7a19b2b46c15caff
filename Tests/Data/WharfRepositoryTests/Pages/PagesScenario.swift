import WharfChecks
import WharfCore
import WharfRepository

/// The calls to a paged list, and the changes at its service in between.
struct PagesScenario: Sendable, CustomStringConvertible {
    enum Step: Sendable {
        case putNew
        case put(Int)
        /// The index into the service's models, modulo their count.
        case remove(at: Int)
        case refresh, later, earlier, rename
        /// The index into the open requests, modulo their count.
        case answer(at: Int)
        case fail(at: Int, ReadFailure.Code)
    }

    /// The number of models that the service has at first.
    var count: Int
    var size: Int
    var cap: Int?
    var steps: [Step]
    /// The order in which the requests that are left at the end are answered.
    var order: [Int]

    var description: String {
        let steps = steps.map { "\($0)" }.joined(separator: ", ")
        let cap = cap.map { ", at most \($0)" } ?? ""
        return "\(count) items by pages of \(size)\(cap): \(steps); answered in the order \(order)"
    }

    static let generator = Generator { choices in
        PagesScenario(
            count: try choices.draw(.int(in: 0...30)), size: try choices.draw(.int(in: 1...5)),
            cap: try choices.draw(cap),
            steps: try choices.draw(.array(of: step, count: 0...240)),
            order: try choices.draw(.array(of: place, count: 0...24)))
    }

    private static let cap = Generator<Int?>.oneOf(.just(nil), Generator<Int>.int(in: 1...12).map { $0 })
    private static let place = Generator<Int>.int(in: 0...11)

    private static let step = Generator<Step>.frequency(
        (8, .just(.later)), (4, .just(.refresh)), (4, .just(.earlier)), (9, place.map { .answer(at: $0) }),
        (4, .just(.putNew)), (4, Generator<Int>.int(in: 0...300).map { .put($0) }),
        (4, Generator<Int>.int(in: 0...30).map { .remove(at: $0) }), (4, .just(.rename)),
        (
            3,
            Generator.zip(place, .element(of: [.timedOut, .cancelled, .undecodable])).map {
                .fail(at: $0, $1)
            }
        ))
}
